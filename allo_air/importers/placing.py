"""Elements put at places that data tells, as selections, which the array does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from torch import Tensor


def placing(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of operations that put elements."""
    aten = torch.ops.aten

    def index_copy(x: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
        if x.dim() == 0:
            return NotImplemented
        return _placed(torch, x, dim % x.dim(), index, source)

    def index_put(x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False) -> Any:
        results = [(dim, index) for dim, index in enumerate(indices) if index is not None]
        if len(results) != 1 or accumulate or results[0][1].dim() > 1 or results[0][1].dtype in (torch.bool, torch.uint8):
            return NotImplemented
        [(dim, index)] = results
        shape = list(x.shape)
        shape[dim : dim + 1] = index.shape
        values = values.expand(shape).reshape(*x.shape[:dim], index.numel(), *x.shape[dim + 1 :])
        return _placed(torch, x, dim, torch.where(index < 0, index + x.shape[dim], index), values)

    return {aten.index_copy.default: index_copy, aten.index_put.default: index_put}


def _placed(torch: ModuleType, x: Tensor, dim: int, index: Tensor, source: Tensor) -> Any:
    """`x` with slices of `source` along `dim` at the places `index`; where one is named twice, the last stays."""
    size, count = x.shape[dim], index.numel()
    lane = [1] * x.dim()
    lane[dim] = size
    slots = torch.arange(size, device=x.device).unsqueeze(1) == index.reshape(1, count)
    if count == 1:
        return torch.where(slots.reshape(lane), source, x)
    last = (slots * torch.arange(count, device=x.device)).amax(1)
    return torch.where(slots.any(1).reshape(lane), source.index_select(dim, last), x)
