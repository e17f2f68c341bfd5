"""Decomposes operations of PyTorch on sorted elements, and extremes and logarithms of sums of all elements up to each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from torch import Tensor


def orders(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of operations on sorted elements."""
    aten = torch.ops.aten

    def stable(x: Tensor, *, stable: bool | None, dim: int = -1, descending: bool = False) -> Any:
        return torch.sort(x, dim, descending)  # equal elements of an imported sort keep their order

    def kth(x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
        values, places = torch.sort(x, dim)
        results = [t.narrow(dim, k - 1, 1) for t in (values, places)]
        return tuple(t if keepdim else t.squeeze(dim) for t in results)

    def median(x: Tensor, dim: int, keepdim: bool = False) -> Any:
        if x.dim() == 0:
            return NotImplemented
        values, places = kth(x, (x.shape[dim] + 1) // 2, dim, True)
        if x.is_floating_point():  # if there are NaNs, the first one is the median
            isnan = torch.isnan(x)
            first = isnan.long().argmax(dim, keepdim=True)
            some = isnan.any(dim, keepdim=True)
            values, places = torch.where(some, float("nan"), values), torch.where(some, first, places)
        return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))

    def median_of_all(x: Tensor) -> Any:
        return median(x.flatten(), 0)[0]

    def nanmedian(x: Tensor, dim: int, keepdim: bool = False) -> Any:
        if not x.dim() or not x.is_floating_point():
            return median(x, dim, keepdim)
        values, places = torch.sort(x, dim)  # NaNs last
        middle = ((~torch.isnan(x)).sum(dim, keepdim=True) - 1).clamp(min=0) // 2
        results = [t.gather(dim, middle) for t in (values, places)]
        return tuple(t if keepdim else t.squeeze(dim) for t in results)

    def mode(x: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
        """The least of the elements that occur most often, and the last of its places."""
        if not x.dim() or x.dtype == torch.bool:
            return NotImplemented
        x = x.movedim(dim, -1)
        counts = (x.unsqueeze(-1) == x.unsqueeze(-2)).sum(-1)
        largest = float("inf") if x.is_floating_point() else torch.iinfo(x.dtype).max
        value = torch.where(counts == counts.amax(-1, keepdim=True), x, largest).amin(-1, keepdim=True)
        place = torch.where(x == value, torch.arange(x.shape[-1]), 0).amax(-1, keepdim=True)
        results = [t.movedim(-1, dim) for t in (value, place)]
        return tuple(t if keepdim else t.squeeze(dim) for t in results)

    def logcumsumexp(x: Tensor, dim: int) -> Any:
        if not x.dim() or not x.is_floating_point():
            return NotImplemented
        count, lane, step = x.shape[dim], [1] * x.dim(), 1
        lane[dim] = -1
        places, result = torch.arange(count), x
        while step < count:  # afterwards, each element is of the last 2 * step ones
            earlier = result.index_select(dim, torch.clamp(places - step, min=0))
            earlier = torch.where((places >= step).reshape(lane), earlier, -float("inf"))
            most = torch.maximum(result, earlier)
            rest = torch.where(result == earlier, 0.0, -(result - earlier).abs())
            result, step = torch.where(most.abs() == float("inf"), most, most + torch.log1p(torch.exp(rest))), 2 * step
        return result

    def extreme(is_better: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Any]:
        def running(x: Tensor, dim: int) -> Any:
            if x.dim() == 0 or x.dtype == torch.bool:
                return NotImplemented
            count, lane = x.shape[dim], [1] * x.dim()
            lane[dim] = -1
            values, places, step = x, torch.arange(count).reshape(lane).expand(x.shape), 1
            while step < count:  # afterwards, each element is the extreme of the last 2 * step ones
                before = torch.clamp(torch.arange(count) - step, min=0)
                earlier, place = values.index_select(dim, before), places.index_select(dim, before)
                takes = is_better(earlier, values)
                values, places, step = torch.where(takes, earlier, values), torch.where(takes, place, places), 2 * step
            return values, places

        return running

    def searchsorted(
        lines: Tensor,
        values: Any,
        *,
        out_int32: bool = False,
        right: bool = False,
        side: str | None = None,
        sorter: Tensor | None = None,
    ) -> Any:
        if lines.dim() != 1 or sorter is not None:
            return NotImplemented
        each = values.unsqueeze(-1)
        below = lines <= each if right or side == "right" else lines < each
        return below.sum(-1).to(torch.int32 if out_int32 else torch.int64)

    def histogram(x: Tensor, bins: int = 100, low: float = 0, high: float = 0) -> Any:
        """The numbers of elements in `bins` intervals from `low` to `high`, or between the extremes if those are equal."""
        x = x.reshape(-1, 1)
        least, most = torch.full_like(x[:1], low), torch.full_like(x[:1], high)
        if low == high:
            least, most = x.amin(0, keepdim=True), x.amax(0, keepdim=True)
            least, most = torch.where(least == most, least - 1, least), torch.where(least == most, most + 1, most)
        place = torch.floor((x - least) * (bins / (most - least))).clamp(max=bins - 1)
        is_member = (place == torch.arange(bins)) & (x >= least) & (x <= most)
        return is_member.sum(0).to(x.dtype)

    return {
        aten.histc.default: histogram,
        aten.kthvalue.default: kth,
        aten.median.dim: median,
        aten.median.default: median_of_all,
        aten.nanmedian.dim: nanmedian,
        aten.nanmedian.default: lambda x: nanmedian(x.flatten(), 0)[0],
        aten.mode.default: mode,
        aten.logcumsumexp.default: logcumsumexp,
        aten.searchsorted.Tensor: searchsorted,
        aten.sort.stable: stable,
        aten.cummax.default: extreme(lambda earlier, x: (earlier > x) | ((earlier != earlier) & (x == x))),
        aten.cummin.default: extreme(lambda earlier, x: (earlier < x) | ((earlier != earlier) & (x == x))),
    }
