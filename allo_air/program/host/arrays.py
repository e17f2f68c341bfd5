"""Converts the arrays of a call: checks them against the signature, pads them for the device, and crops results."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.dtypes import is_masked, numpy_dtype
from allo_air.errors import ArgumentError, counted, with_article
from allo_air.program.host.signature import Argument, describe, inputs, outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike


def bind(arguments: Sequence[Argument], arrays: Sequence[object], out: object = None, *, exact: bool = True) -> list[Any]:
    """The array for every argument of a call. Results that the user does not pass are allocated (zeros).

    `arrays` are the inputs, or all arguments in order. `out` is an array, or a sequence of them, for the results; None in it
    means: allocate. If not `exact`, the shapes of arrays are free, and only the transferred elements must exist. Raises an
    ArgumentError that names the argument.
    """
    import numpy as np

    given_arguments, values = inputs(arguments), list(arrays)
    whole = len(values) == len(arguments) != len(given_arguments)
    if len(values) != len(given_arguments) and not whole:
        raise ArgumentError(
            f"got {counted(len(values), 'array')}, expected {len(given_arguments)}: {describe(given_arguments)}"
        )
    if whole and out is not None:
        raise ArgumentError("the results are given twice, among the arrays and as out=")
    results = [a for a in arguments if a.role == "out"]
    places: list[Any] = [None] * len(results)
    if out is not None:
        places = list(out) if isinstance(out, tuple | list) else [out]
        if len(places) != len(results):
            raise ArgumentError(f"out= holds {counted(len(places), 'array')}, expected {len(results)}: {describe(results)}")
    given_values, result = iter(values), iter(places)
    bound = []
    for argument in arguments:
        is_given = whole or argument.role != "out"
        array = next(given_values) if is_given else next(result)
        if array is None and not is_given:
            array = np.zeros(argument.shape, numpy_dtype(argument.element))
        if isinstance(array, np.generic) and argument.role == "in":
            array = np.asarray(array)
        check(argument, array, writable=argument.role != "in", exact=exact)
        bound.append(array)
    return bound


def check(argument: Argument, array: object, *, writable: bool, exact: bool = True) -> None:
    """Raises ArgumentError unless `array` is a numpy array of the argument's type and (if `exact`) shape."""
    import numpy as np

    dtype = numpy_dtype(argument.element)
    if not isinstance(array, np.ndarray):
        hint = "" if array is None else f"; give np.asarray(..., dtype={_dtype_name(dtype)})"
        text = "None" if array is None else with_article(type(array).__name__)
        raise ArgumentError(f"{argument.name} is {text}, expected a numpy array {_expected_kind(argument, dtype)}{hint}")
    if is_masked(array):
        raise ArgumentError(f"{argument.name} is a masked array, and the device knows no masks; give .filled(...) of it")
    if (exact and array.shape != argument.shape) or array.dtype != dtype:
        raise ArgumentError(
            f"{argument.name} is {_shape(array.shape)} of {array.dtype}, expected {_expected_kind(argument, dtype)}"
            f"{_hint(argument, array, dtype)}"
        )
    if writable and not array.flags.writeable:
        raise ArgumentError(f"{argument.name} is written by the program, but the array is read-only")


def _hint(argument: Argument, array: np.ndarray, dtype: DTypeLike) -> str:
    """A suggestion that makes `array` fit the argument's shape and type, or "" if there is none."""
    if array.ndim == 2 and array.T.shape == argument.shape != array.shape:
        return "; is it transposed?"
    if array.dtype == dtype or array.shape != argument.shape:
        return ""
    if is_raw(array, dtype):
        return f"; its elements are raw bytes: view them with .view({_dtype_name(dtype)})"
    bits = f" or, where its elements are bits, see them with .view({_dtype_name(dtype)})" if _may_be_bits(array, dtype) else ""
    is_real = array.dtype.kind in "biufO" or (array.dtype.kind == "V" and not _is_void(array))
    return f"; convert it with .astype({_dtype_name(dtype)}){bits}" if is_real else ""


def with_argument_type(argument: Argument, array: Any) -> Any:
    """`array`; if its elements are raw bytes, as in files of bf16 (which store no type name), viewed as the argument's type."""
    dtype = numpy_dtype(argument.element)
    return array.view(dtype) if is_raw(array, dtype) else array


def is_raw(array: np.ndarray, dtype: Any) -> bool:
    """Whether the elements of `array` are bytes without a type, as wide as `dtype`. `.npy` files store bf16 in this way."""
    return _is_void(array) and array.dtype.names is None and array.dtype.itemsize == dtype.itemsize


def _may_be_bits(array: Any, dtype: Any) -> bool:
    """Whether `array` has integers of the same width as `dtype`, a float type that numpy itself does not have."""
    return bool(array.dtype.kind in "iu" and dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize)


def _is_void(array: np.ndarray) -> bool:
    return bool(array.dtype.type.__name__ == "void")


def _expected_kind(argument: Argument, dtype: object) -> str:
    return f"{_shape(argument.shape)} of {dtype}"


def _shape(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "a scalar"


def _dtype_name(dtype: Any) -> str:
    return f"ml_dtypes.{dtype}" if dtype.kind == "V" or str(dtype) == "bfloat16" or "float8" in str(dtype) else f"'{dtype}'"


def to_device(argument: Argument, array: np.ndarray) -> Any:
    """A contiguous copy for the device: packed by the argument's layout, or padded with zeros to the device's shape."""
    import numpy as np

    if argument.layout is not None:
        return np.ascontiguousarray(argument.layout.pack(array, argument.padded))
    if argument.padded == argument.shape:
        return np.array(array, order="C", copy=True)
    padded = np.zeros(argument.padded, array.dtype)
    padded[_corner(array.shape)] = array
    return padded


def from_device(argument: Argument, device: np.ndarray, array: Any) -> None:
    """Writes the user's part of array `device` into `array`."""
    if argument.layout is not None:
        argument.layout.unpack(device, array)
    else:
        array[...] = device[_corner(array.shape)]


def user_positions(argument: Argument) -> Any:
    """The positions of the user's elements in the device's array, counted in elements."""
    import numpy as np

    array = np.zeros(argument.shape, np.int64)
    from_device(argument, np.arange(prod(argument.padded)).reshape(argument.padded), array)
    return array


def _corner(shape: Sequence[int]) -> tuple[slice, ...]:
    """The slices that select an array of `shape` from a padded one."""
    return tuple(slice(0, size) for size in shape)


def results(arguments: Sequence[Argument], bound: Sequence[np.ndarray]) -> Any:
    """The result of a call: the written array, or a tuple of several."""
    arrays = [array for argument, array in zip(arguments, bound, strict=True) if argument.role != "in"]
    assert len(arrays) == len(outputs(arguments))
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def random_inputs(arguments: Sequence[Argument], seed: int) -> list[Any]:
    """Seeded arrays for the inputs: integers over their whole range, and normally distributed floats.

    64-bit integers are in the range of 32 bits, which all programs support.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    return [random_array(rng, a.shape, numpy_dtype(a.element)) for a in inputs(arguments)]


def random_array(rng: np.random.Generator, shape: Sequence[int], dtype: np.dtype) -> Any:
    """One such array."""
    import numpy as np

    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(np.int32 if dtype == np.int64 else dtype)
        return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return rng.standard_normal(shape, dtype=np.float32).astype(dtype)
