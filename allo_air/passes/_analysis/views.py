"""Computes how view operations change an access pattern, with one function for each memref view operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from allo_air.access.linear import ONE, ZERO, product
from allo_air.access.pattern import AccessPattern, Dim, kept_dims
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.access import layout, whole_of
from allo_air.passes._analysis.linear import of_int, of_mixed

Compose = Callable[[AccessPattern, Any], AccessPattern | None]


def chain(memref: ir.Value) -> list[Any]:
    """The view operations that make `memref`, the first one on the buffer first."""
    results: list[Any] = []
    while isinstance(memref, ir.OpResult):
        owner = memref.owner
        if owner.name not in _COMPOSE:
            break
        results.append(owner.opview)
        memref = owner.operands[0]
    return results[::-1]


def compose(pattern: AccessPattern, view: AnyOp) -> AccessPattern | None:
    """The pattern of the result of `view`, from `pattern` of its source; None if it cannot be expressed."""
    return _COMPOSE[view.name](pattern, view)


def patterns_of(memref: ir.Value) -> Iterator[AccessPattern]:
    """The pattern of `memref` over each buffer or view of its chain of views, the buffer first."""
    result = chain(memref)
    for first in range(len(result)):
        pattern: AccessPattern | None = whole_of(result[first].operands[0])
        for view in result[first:]:
            pattern = compose(pattern, view) if pattern else None
        if pattern:
            yield pattern


def _subview(pattern: AccessPattern, view: ir.OpView) -> AccessPattern | None:
    """Moves the start of each dimension, replaces its size, and multiplies its stride. Unit dimensions may be dropped."""
    offsets = of_mixed(view.static_offsets, view.offsets)
    sizes = of_mixed(view.static_sizes, view.sizes)
    steps = of_mixed(view.static_strides, view.strides)
    start, dims = list(pattern.start), []
    for dim, offset, size, step in zip(pattern.view_dims, offsets, sizes, steps, strict=True):
        if step.is_(1):
            dims.append(Dim(dim.offset + offset, size, dim.stride))
            continue
        start.append((dim.offset + offset, dim.stride))
        dims.append(Dim(ZERO, size, product(dim.stride, step)))
    result = view.result.type
    strides, _ = layout(result)
    shown = kept_dims(
        [1 if d.is_unit else 0 for d in dims], result.shape, lambda d, dim: strides[dim] in (None, dims[d].stride)
    )
    if len(shown) != result.rank:
        return None
    marked = [replace(d, hidden=n not in shown) for n, d in enumerate(dims)]
    return AccessPattern(pattern.base, _with_view_dims(pattern, marked), tuple(start))


def _cast(pattern: AccessPattern, view: ir.OpView) -> AccessPattern | None:
    """Keeps the pattern; a more static result type fills in unknown parts."""
    result = view.result.type
    if not isinstance(result, ir.MemRefType) or result.rank != len(pattern.view_dims):
        return None
    strides, _ = layout(result)
    dims = [
        replace(dim, size=of_int(n) or dim.size, stride=dim.stride or s)
        for dim, n, s in zip(pattern.view_dims, result.shape, strides, strict=True)
    ]
    return replace(pattern, dims=_with_view_dims(pattern, dims))


def _reinterpret_cast(pattern: AccessPattern, view: ir.OpView) -> AccessPattern | None:
    """Ignores the source's pattern: offset, sizes and strides of the operation apply to the buffer itself.

    The buffer must have offset 0, as an unranked memref is assumed to have.
    """
    origin = layout(pattern.base.type)[1] if isinstance(pattern.base.type, ir.MemRefType) else ZERO
    if origin is None or not origin.is_(0):
        return None
    [offset] = of_mixed(view.static_offsets, view.offsets)
    sizes = of_mixed(view.static_sizes, view.sizes)
    strides = of_mixed(view.static_strides, view.strides)
    return AccessPattern(pattern.base, tuple(Dim(ZERO, n, s) for n, s in zip(sizes, strides, strict=True)), ((offset, ONE),))


def _expand_shape(pattern: AccessPattern, view: ir.OpView) -> AccessPattern | None:
    """Splits each dimension into its group: the innermost of a group keeps the stride, outer ones are multiples of it."""
    shape = of_mixed(view.static_output_shape, view.output_shape)
    dims: list[Dim] = [Dim(ZERO, n, ONE) for n in shape] if not view.reassociation else []
    for dim, group in zip(pattern.view_dims, view.reassociation, strict=bool(view.reassociation)):
        split: list[Dim] = []
        stride, offset = dim.stride, dim.offset
        for i in reversed([g.value for g in group]):
            carries = not shape[i].is_(1) and stride == dim.stride
            split.append(Dim(offset if carries else ZERO, shape[i], stride))
            offset = ZERO if carries else offset
            stride = product(stride, shape[i])
        if not offset.is_(0):
            split[0] = replace(split[0], offset=offset)
        dims += reversed(split)
    return replace(pattern, dims=_with_view_dims(pattern, dims))


def _collapse_shape(pattern: AccessPattern, view: ir.OpView) -> AccessPattern | None:
    """Merges each group of dimensions into one; they must be contiguous."""
    dims: list[Dim] = []
    view_dims = pattern.view_dims
    if not view.reassociation:
        return replace(pattern, dims=tuple(replace(d, hidden=True) for d in pattern.dims))
    for group in view.reassociation:
        joined = _joined([view_dims[g.value] for g in group])
        if joined is None:
            return None
        dims += joined
    return replace(pattern, dims=_with_view_dims(pattern, dims))


def _joined(group: list[Dim]) -> list[Dim] | None:
    """One view dimension for `group`. Its unit dimensions become hidden and precede it."""
    wide = [d for d in group if not d.is_unit] or group[-1:]
    units = [replace(d, hidden=True) for d in group if d.is_unit and d is not wide[-1]]
    joined: Dim | None = wide[-1]
    for dim in reversed(wide[:-1]):
        joined = dim.around(joined) if joined is not None else None
    return None if joined is None else [*units, joined]


def _transpose(pattern: AccessPattern, view: ir.OpView) -> AccessPattern:
    """Permutes the dimensions."""
    view_dims = pattern.view_dims
    permutation = ir.AffineMapAttr(view.permutation).value
    order = [ir.AffineDimExpr(e).position for e in permutation.results]
    return replace(pattern, dims=_with_view_dims(pattern, [view_dims[i] for i in order]))


def _with_view_dims(pattern: AccessPattern, dims: list[Dim]) -> tuple[Dim, ...]:
    """The dimensions of `pattern` with `dims` instead of its view dimensions. Hidden dimensions keep their positions if the
    rank is the same; otherwise they come first.
    """
    hidden = [d for d in pattern.dims if d.hidden]
    if not hidden or len(dims) != len(pattern.view_dims):
        return (*hidden, *dims)
    new = iter(dims)
    return tuple(d if d.hidden else next(new) for d in pattern.dims)


_COMPOSE: dict[str, Compose] = {
    "memref.subview": _subview,
    "memref.cast": _cast,
    "memref.reinterpret_cast": _reinterpret_cast,
    "memref.expand_shape": _expand_shape,
    "memref.collapse_shape": _collapse_shape,
    "memref.transpose": _transpose,
}

VIEWS = tuple(_COMPOSE)
"""The view operations that `compose` and `chain` support."""
