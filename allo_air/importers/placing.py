"""Decomposes writes at run-time indices (index_copy, index_put) into selections, which the NPU can compute, and scatters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from torch import Tensor


def placing(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """The decompositions by operation of PyTorch; a decomposition returns NotImplemented for forms that it does not handle."""
    aten = torch.ops.aten

    def index_copy(x: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
        if x.dim() == 0:
            return NotImplemented
        return _with_slices(torch, x, dim % x.dim(), index, source)

    def index_put(x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Any:
        indexed = [(dim, index) for dim, index in enumerate(indices) if index is not None]
        if len(indexed) != 1 or accumulate or indexed[0][1].dim() > 1 or indexed[0][1].dtype in (torch.bool, torch.uint8):
            return NotImplemented
        [(dim, index)] = indexed
        shape = list(x.shape)
        shape[dim : dim + 1] = index.shape
        values = values.expand(shape).reshape(*x.shape[:dim], index.numel(), *x.shape[dim + 1 :])
        return _with_slices(torch, x, dim, torch.where(index < 0, index + x.shape[dim], index), values)

    def put(x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Any:
        index = torch.where(index < 0, index + x.numel(), index).flatten()
        return x.flatten().index_put((index,), source.flatten(), accumulate).reshape(x.shape)

    def index_reduce(x: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True) -> Any:
        if not x.dim():
            return NotImplemented
        lane = [1] * x.dim()
        lane[dim] = -1
        index = index.to(torch.int64).reshape(lane).expand(source.shape)
        return x.scatter_reduce(dim % x.dim(), index, source, reduce, include_self=include_self)

    def diagonal_scatter(x: Tensor, source: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
        source = source.to(x.dtype)
        rows, columns = (torch.arange(x.shape[dim], device=x.device) for dim in (dim1, dim2))
        places = (rows + min(offset, 0)).clamp(0, max(source.shape[-1] - 1, 0))
        is_on_it = columns == rows.unsqueeze(1) + offset
        result = torch.where(is_on_it, source.index_select(-1, places).unsqueeze(-1), x.movedim((dim1, dim2), (-2, -1)))
        return result.movedim((-2, -1), (dim1, dim2)) if source.numel() else x.clone()

    def empty_like(x: Tensor, *, dtype: Any = None, **_: object) -> Any:
        # selections read the old elements, which must be defined; any value is correct
        return aten.full.default(x.shape, 0, dtype=dtype or x.dtype, device=x.device)

    def empty(shape: Sequence[int], *, dtype: Any = None, device: Any = None, **_: object) -> Any:
        return aten.full.default(shape, 0, dtype=dtype or torch.get_default_dtype(), device=device)

    def empty_strided(
        shape: Sequence[int], stride: Sequence[int], *, dtype: Any = None, device: Any = None, **_: object
    ) -> Any:
        # full is decomposed into this one
        return aten.scalar_tensor.default(0, dtype=dtype or torch.get_default_dtype(), device=device).expand(shape)

    def new_empty_strided(x: Tensor, shape: Sequence[int], stride: Sequence[int], *, dtype: Any = None, **_: object) -> Any:
        return empty(shape, dtype=dtype or x.dtype, device=x.device)

    def from_the_front(op: Callable[..., Any]) -> Callable[..., Any]:
        """`op` with a dimension that counts from the front; torch-mlir crashes on others."""

        def decomposed(x: Tensor, dim: int, *args: object, **kwargs: object) -> Any:
            return NotImplemented if dim >= 0 or not x.dim() else op(x, dim % x.dim(), *args, **kwargs)

        return decomposed

    scatters = (aten.scatter.src, aten.scatter.value, aten.scatter.reduce, aten.scatter.value_reduce)
    return {op: from_the_front(op) for op in (*scatters, aten.scatter_add.default, aten.scatter_reduce.two)} | {
        aten.index_copy.default: index_copy,
        aten.index_put.default: index_put,
        aten.put.default: put,
        aten.index_reduce.default: index_reduce,
        aten.diagonal_scatter.default: diagonal_scatter,
        aten.empty_like.default: empty_like,
        aten.empty.memory_format: empty,
        aten.empty_strided.default: empty_strided,
        aten.new_empty_strided.default: new_empty_strided,
    }


def _with_slices(torch: ModuleType, x: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
    """`x` with slice number i along `dim` replaced by slice j of `source` if `index[j]` is i; the last such j counts.

    The NPU compares each i with each j (`slots`), so it needs no write at a run-time address.
    """
    size, count = x.shape[dim], index.numel()
    along_dim = [1] * x.dim()
    along_dim[dim] = size
    slots = torch.arange(size, device=x.device).unsqueeze(1) == index.reshape(1, count)
    if count == 1:
        return torch.where(slots.reshape(along_dim), source, x)
    last = (slots * torch.arange(count, device=x.device)).amax(1)
    return torch.where(slots.any(1).reshape(along_dim), source.index_select(dim, last), x)
