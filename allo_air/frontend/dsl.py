"""The operations of the kernel language. Called from Python, outside of a kernel, they compute the same on numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def grid(*sizes: int | str, name: str | None = None, pipeline: bool = False, unroll: bool = False) -> Iterator[tuple[int, ...]]:
    """The loop nest over `sizes`. `name` is for schedules; `pipeline` marks the innermost loop, `unroll` all."""
    return iter(np.ndindex(*[s for s in sizes if not isinstance(s, str)]))


def reduction(*sizes: int, name: str | None = None, pipeline: bool = False, unroll: bool = False) -> Iterator[Any]:
    """Like `grid`, for reduction loops."""
    return (i[0] for i in np.ndindex(*sizes)) if len(sizes) == 1 else iter(np.ndindex(*sizes))


def matmul(lhs: ArrayLike, rhs: ArrayLike, name: str | None = None) -> Any:
    """The product of two matrices, or of batches of them."""
    return np.matmul(lhs, rhs)


def bmm(lhs: ArrayLike, rhs: ArrayLike, name: str | None = None) -> Any:
    """The products of two batches of matrices."""
    return np.matmul(lhs, rhs)


def add(lhs: ArrayLike, rhs: ArrayLike, name: str | None = None) -> Any:
    """The sum, with broadcasting."""
    return np.add(lhs, rhs)


def sub(lhs: ArrayLike, rhs: ArrayLike, name: str | None = None) -> Any:
    """The difference, with broadcasting."""
    return np.subtract(lhs, rhs)


def mul(lhs: ArrayLike, rhs: ArrayLike, name: str | None = None) -> Any:
    """The product of elements, with broadcasting."""
    return np.multiply(lhs, rhs)


def div(lhs: ArrayLike, rhs: ArrayLike, name: str | None = None) -> Any:
    """The quotient of elements, with broadcasting."""
    return np.divide(lhs, rhs)


def copy(x: ArrayLike, name: str | None = None) -> Any:
    """A new tensor with the same elements."""
    return np.copy(x)


def transpose(x: ArrayLike, axes: Sequence[int] | None = None, name: str | None = None) -> Any:
    """The dimensions in the order of `axes`, or reversed."""
    return np.transpose(x, axes)


def exp(x: ArrayLike, name: str | None = None) -> Any:
    """e to the power of each element."""
    return np.exp(x)


def log(x: ArrayLike, name: str | None = None) -> Any:
    """The natural logarithm of each element."""
    return np.log(x)


def log2(x: ArrayLike, name: str | None = None) -> Any:
    """The logarithm to base 2."""
    return np.log2(x)


def log10(x: ArrayLike, name: str | None = None) -> Any:
    """The logarithm to base 10."""
    return np.log10(x)


def abs(x: ArrayLike, name: str | None = None) -> Any:
    """The absolute value."""
    return np.abs(x)


def sqrt(x: ArrayLike, name: str | None = None) -> Any:
    """The square root."""
    return np.sqrt(x)


def sin(x: ArrayLike, name: str | None = None) -> Any:
    """The sine."""
    return np.sin(x)


def cos(x: ArrayLike, name: str | None = None) -> Any:
    """The cosine."""
    return np.cos(x)


def tan(x: ArrayLike, name: str | None = None) -> Any:
    """The tangent."""
    return np.tan(x)


def tanh(x: ArrayLike, name: str | None = None) -> Any:
    """The hyperbolic tangent."""
    return np.tanh(x)


def power(x: ArrayLike, y: ArrayLike, name: str | None = None) -> Any:
    """x to the power of y."""
    return np.power(x, y)


def relu(x: np.ndarray, name: str | None = None) -> Any:
    """The larger of x and 0."""
    return np.maximum(x, 0)


def silu(x: np.ndarray, name: str | None = None) -> Any:
    """x / (1 + exp(-x))."""
    return x / (1 + np.exp(-x))


def gelu(x: np.ndarray, name: str | None = None) -> Any:
    """GELU by its approximation with tanh."""
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def max(x: np.ndarray, axis: int | Sequence[int] | None = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The largest element over `axis`, or over everything."""
    return np.max(x, axis=_axes(axis), keepdims=keepdims)


def min(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The smallest element over `axis`, or over everything."""
    return np.min(x, axis=_axes(axis), keepdims=keepdims)


def sum(x: ArrayLike, axis: int | Sequence[int] | None = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The sum over `axis`, or over everything."""
    return np.sum(x, axis=_axes(axis), keepdims=keepdims)


def _axes(axis: int | Sequence[int] | None) -> Any:
    return axis if axis is None or isinstance(axis, int) else tuple(axis)


def softmax(x: np.ndarray, axis: int = -1, name: str | None = None) -> Any:
    """exp(x - max) over its sum, along `axis`."""
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def layernorm(x: np.ndarray, gamma: object, beta: object, axis: int = -1, eps: float = 1e-5, name: str | None = None) -> Any:
    """(x - mean) / sqrt(variance + eps) gamma + beta, along the last dimension."""
    mean = np.mean(x, axis=axis, keepdims=True)
    variance = np.var(x, axis=axis, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


def rmsnorm(x: ArrayLike, weight: ArrayLike, eps: float = 1e-5, name: str | None = None) -> Any:
    """x / sqrt(mean of squares + eps) weight, along the last dimension."""
    return x / np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True) + eps) * weight


def linear(x: ArrayLike, weight: ArrayLike, bias: object = None, name: str | None = None) -> Any:
    """x weight^T, plus a bias."""
    product = np.matmul(x, np.swapaxes(weight, -1, -2))
    return product if bias is None else product + bias


def conv2d(inp: np.ndarray, filter: np.ndarray, name: str | None = None) -> Any:
    """A convolution of NCHW with FCHW, without padding, with stride 1."""
    windows = np.lib.stride_tricks.sliding_window_view(inp, filter.shape[2:], axis=(2, 3))
    return np.einsum("nchwij,fcij->nfhw", windows, filter)


def maxpool(inp: np.ndarray, filter: np.ndarray, name: str | None = None) -> Any:
    """The largest element of each window of NCHW; `filter` gives the window's shape; stride 1."""
    windows = np.lib.stride_tricks.sliding_window_view(inp, filter.shape, axis=(2, 3))
    return windows.max(axis=(-1, -2))


def sumpool(inp: np.ndarray, filter: np.ndarray, name: str | None = None) -> Any:
    """The sum of each window of NCHW; `filter` gives the window's shape; stride 1."""
    windows = np.lib.stride_tricks.sliding_window_view(inp, filter.shape, axis=(2, 3))
    return windows.sum(axis=(-1, -2))


def view(x: ArrayLike, shape: Sequence[int], name: str | None = None) -> Any:
    """The same elements in another shape."""
    return np.reshape(x, shape)


def concat(x: ArrayLike, y: ArrayLike, axis: int = 0, name: str | None = None) -> Any:
    """Concatenates x and y along `axis`."""
    return np.concatenate((x, y), axis=axis)


def tril(x: ArrayLike, name: str | None = None) -> Any:
    """The lower triangle; zeros above the diagonal."""
    return np.tril(x)


def ones(shape: Sequence[int], dtype: object = None, name: str | None = None) -> Any:
    """A tensor of ones."""
    return np.ones(shape)


def zeros(shape: Sequence[int], dtype: object = None, name: str | None = None) -> Any:
    """A tensor of zeros."""
    return np.zeros(shape)


def meta_if(condition: object) -> Any:
    """`with meta_if(condition):` compiles its statements only if the compile-time condition is true."""
    raise NotImplementedError("'meta_if' can only be called in kernels")


def meta_elif(condition: object) -> Any:
    """Follows `meta_if`."""
    raise NotImplementedError("'meta_elif' can only be called in kernels")


def meta_else() -> Any:
    """Follows `meta_if` or `meta_elif`."""
    raise NotImplementedError("'meta_else' can only be called in kernels")


def meta_for(*bounds: int) -> Any:
    """`with meta_for(4) as i:` repeats its statements with i known at compile time."""
    raise NotImplementedError("'meta_for' can only be called in kernels")
