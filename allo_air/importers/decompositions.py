"""Decomposes operations of PyTorch that torch-mlir does not lower, or lowers incorrectly, into others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.importers.convolutions import convolutions
from allo_air.importers.elementwise import elementwise
from allo_air.importers.experts import experts
from allo_air.importers.integer_arithmetic import bit_operations, quotients
from allo_air.importers.linear_algebra import linear_algebra
from allo_air.importers.orders import orders
from allo_air.importers.placing import placing
from allo_air.importers.pooling import pooling
from allo_air.importers.resizing import resizing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from torch import Tensor


def decompositions(torch: ModuleType, table: dict[object, Callable[..., object]]) -> dict[Any, Callable[..., Any]]:
    """`table`, the decompositions of torch.export, extended by ours."""
    return {
        **table,
        **convolutions(torch),
        **experts(torch),
        **linear_algebra(torch),
        **placing(torch),
        **pooling(torch),
        **resizing(torch),
        **quotients(torch),
        **elementwise(torch),
        **orders(torch),
        **bit_operations(torch),
        **_copies(torch),
        **_shapes(torch),
        **_distances(torch),
        **_embedding_bags(torch),
        **_fake_quantization(torch),
    }


def _copies(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of copies of views (view_copy, unbind_copy and so on) into the views: programs change nothing in place."""
    aten, results = torch.ops.aten, dict[Any, Callable[..., Any]]()
    for name in (n for n in dir(torch) if n.endswith("_copy") and not n.startswith("_")):
        copy, view = (getattr(aten, n, None) for n in (name, name.removesuffix("_copy")))
        if copy is not None and view is not None:
            results |= {getattr(copy, o): getattr(view, o) for o in copy.overloads() if o in view.overloads()}
    return results


def _shapes(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of views and repetitions without elements, of rolls of all elements, and of shifts of spectra."""
    aten = torch.ops.aten

    def view(x: Tensor, size: Sequence[int]) -> Any:
        if x.numel():
            return NotImplemented
        # torch-mlir divides by the number of elements
        return aten.full.default([max(n, 0) for n in size], 0, dtype=x.dtype, device=x.device)

    def repeat(x: Tensor, counts: Sequence[int]) -> Any:
        if x.numel() and 0 not in counts:
            return NotImplemented
        lead = len(counts) - x.dim()
        sizes = [count if n < lead else count * x.shape[n - lead] for n, count in enumerate(counts)]
        return aten.full.default(sizes, 0, dtype=x.dtype, device=x.device)

    def rolled(x: Tensor, shifts: Sequence[int], dims: Sequence[int] = ()) -> Any:
        return NotImplemented if dims else torch.roll(x.flatten(), shifts, 0).reshape(x.shape)

    def shifted(x: Tensor, dims: Sequence[int] | None, is_inverse: bool) -> Any:
        axes = list(range(x.dim())) if dims is None else list(dims)
        return torch.roll(x, [(x.shape[d] + is_inverse) // 2 for d in axes], axes)

    return {
        aten.view.default: view,
        aten.repeat.default: repeat,
        aten.roll.default: rolled,
        aten.fft_fftshift.default: lambda x, dim=None: shifted(x, dim, False),
        aten.fft_ifftshift.default: lambda x, dim=None: shifted(x, dim, True),
    }


def _distances(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of norms of differences, and of matrices that are composed of parts."""
    aten = torch.ops.aten

    def norm(x: Any, order: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: object = None) -> Any:
        if order is not None and ((dim is None and x.dim() != 1) or (dim is not None and len(dim) != 1)):
            return NotImplemented  # a matrix norm
        return torch.linalg.vector_norm(x, 2 if order is None else order, dim, keepdim, dtype=dtype)

    def dist(x: Tensor, y: Tensor, p: float = 2) -> Any:
        return torch.linalg.vector_norm(x - y, p)

    def cdist(x: Tensor, y: Tensor, p: float, mode: object = None) -> Any:
        return torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, -1)

    def pdist(x: Tensor, p: float = 2) -> Any:
        pairs = torch.triu_indices(x.shape[0], x.shape[0], 1)
        return torch.linalg.vector_norm(x.index_select(0, pairs[0]) - x.index_select(0, pairs[1]), p, -1)

    def block_diagonal(parts: Sequence[Tensor]) -> Any:
        parts = [t if t.dim() == 2 else t.reshape(1, -1) for t in parts]
        width, before, rows = sum(t.shape[1] for t in parts), 0, []
        for part in parts:
            rows.append(torch.nn.functional.pad(part, (before, width - before - part.shape[1])))
            before += part.shape[1]
        return torch.cat(rows)

    return {
        aten.linalg_norm.default: norm,
        aten.dist.default: dist,
        aten._cdist_forward.default: cdist,
        aten._pdist_forward.default: pdist,
        aten.block_diag.default: block_diagonal,
    }


def _embedding_bags(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of embedding bags: sums, means and maxima of rows."""
    aten = torch.ops.aten

    def bag(
        weight: Tensor,
        indices: Tensor,
        offsets: Tensor,
        scale_grad_by_freq: bool = False,
        mode: int = 0,
        sparse: bool = False,
        per_sample_weights: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = -1,
    ) -> Any:
        rows, places = weight[indices], torch.arange(indices.shape[0], dtype=offsets.dtype)
        ends = torch.cat([offsets[1:], torch.full((1,), indices.shape[0], dtype=offsets.dtype)])
        if include_last_offset:
            offsets, ends = offsets[:-1], offsets[1:]
        is_member = (places >= offsets[:, None]) & (places < ends[:, None])
        if padding_idx is not None and padding_idx >= 0:
            is_member = is_member & (indices != padding_idx)
        count = is_member.sum(1)
        if mode == _MAX:
            result = torch.where(is_member[..., None], rows, -float("inf")).amax(1)
            result = torch.where((count > 0)[:, None], result, 0.0).to(rows.dtype)
        else:
            shares = is_member.to(rows.dtype) * (1 if per_sample_weights is None else per_sample_weights)
            result = shares @ rows
            result = result / count.clamp(min=1)[:, None].to(rows.dtype) if mode == _MEAN else result
        return result, is_member.to(torch.int64).argmax(0), count, count

    return {aten.embedding_bag.padding_idx: bag, aten.embedding_bag.default: bag, aten._embedding_bag.default: bag}


def _fake_quantization(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    """Decompositions of roundings to the steps of integers with a scale for each channel (training for quantization)."""
    aten = torch.ops.aten

    def rounded(x: Tensor, scale: Tensor, zero: Tensor, axis: int, least: int, most: int) -> Any:
        shape = [-1 if dim == axis % x.dim() else 1 for dim in range(x.dim())]
        scale, zero = scale.reshape(shape).float(), zero.reshape(shape).float()
        steps = torch.round(x.float() * (1 / scale)) + zero
        is_inside = (steps >= least) & (steps <= most)
        return ((torch.clamp(steps, least, most) - zero) * scale).to(x.dtype), is_inside

    return {
        aten.fake_quantize_per_channel_affine.default: lambda *args: rounded(*args)[0],
        aten.fake_quantize_per_channel_affine_cachemask.default: rounded,
    }


_MEAN, _MAX = 1, 2
"""Modes of an embedding bag; 0 is the sum."""
