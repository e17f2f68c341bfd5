"""Views of the elements that each iteration of a core loop stores, so that only these are copied back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.access.linear import ZERO, Linear
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim, Loop
from allo_air.core.walking import is_inside, parents
from allo_air.dialects.memrefs import memory_space
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes._analysis.effects import Access, accesses
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.bind._outline import apply

_ELEMENTS = ("memref.load", "memref.store")
_VECTORS = ("vector.load", "vector.store", "vector.transfer_read", "vector.transfer_write")
_CURE = "give each core a memref.subview of the elements that it writes, created in the loop over the cores"


def narrow_writes(core: AnyOp) -> None:
    """Makes each iteration of `core`, a loop over cores, store into a view of the elements that it accesses.

    A buffer is copied back whole. If cores store single elements of one buffer, each copy would undo the stores of the others.
    Along a dimension whose indices are not linear in loop variables, a view has all elements. An iteration whose view has
    elements of another's is an error.

    Before:

        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          scf.for %j = %c0 to %c12 step %c1 {
            memref.store %v, %a[%i, %j] : memref<4x12xf32>

    After:

        scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
          %s = memref.subview %a[%i, 0] [1, 12] [1, 1]
          scf.for %j = %c0 to %c12 step %c1 {
            memref.store %v, %s[%c0, %j]
    """
    dims = Loop(core).dims()
    if dims is None or all(dim.trips <= 1 for dim in dims) or not all(dim.trips for dim in dims):
        return
    by_buffer: dict[Any, list[Access]] = {}
    for access in accesses(core):
        if memory_space(access.memref.type) == 0 and access.kind != "free" and not _is_inside(access.memref, core):
            by_buffer.setdefault(access.memref, []).append(access)
    values = IndexValues()
    for buffer, items in by_buffer.items():
        ivs = {dim.iv for dim in dims if dim.trips > 1}
        if any(a.kind != "read" and a.op.name.startswith(("memref.", "vector.")) and _differs(a, core, ivs) for a in items):
            _narrow(core, buffer, items, dims, values)
            values = IndexValues()


def _is_inside(value: ir.Value, core: AnyOp) -> bool:
    owner = value.owner.owner if isinstance(value, ir.BlockArgument) else value.owner
    return owner.operation == core or core in list(parents(owner.operation))


def _differs(access: Access, core: AnyOp, ivs: set[Any]) -> bool:
    """Whether iterations of `core` may write different elements: whether the access is made, or where, depends on one of `ivs`
    or on data.
    """
    indices = [v for v in access.op.operands if isinstance(v.type, ir.IndexType)]  # not the value that it stores
    around = [p for p in parents(access.op) if is_inside(p, core)]
    todo, seen = [*indices, *(v for p in around for v in _numbers(p))], set[Any]()
    while todo:
        value = todo.pop()
        if value in ivs:
            return True
        if value in seen or not _is_inside(value, core):
            continue
        seen.add(value)
        if isinstance(value, ir.BlockArgument):  # of a loop: its bounds, its first values and the next ones
            loop: Any = value.owner.owner.operation
            ends: list[Any] = [
                block.operations[len(block.operations) - 1] for region in loop.regions for block in region.blocks
            ]
            todo += [v for op in (loop, *ends) for v in _numbers(op)]
        elif value.owner.name in ("memref.load", "affine.load", "vector.load", "vector.transfer_read"):
            return True
        else:
            todo += list(value.owner.operands)
    return False


def _numbers(op: AnyOp) -> list[Any]:
    """The operands that may be bounds, conditions or indices."""
    return [v for v in op.operands if isinstance(v.type, ir.IndexType | ir.IntegerType)]


@dataclass(frozen=True)
class _Side:
    """One dimension of a view: its first index, by variables outside of the inner loops, and its size."""

    first: Linear
    size: int


def _narrow(core: AnyOp, buffer: ir.Value, items: list[Access], dims: tuple[Dim, ...], values: IndexValues) -> None:
    sides = [_side(core, items, d, values) for d in range(buffer.type.rank)]
    sides = [s if _is_within(s, n, dims, values) else _Side(ZERO, n) for s, n in zip(sides, buffer.type.shape, strict=True)]
    if not _are_apart(sides, dims):
        raise error_at(
            items[0].op,
            f"accesses elements of {buffer.type} that lie between those of other cores, or are not known from loop variables; a"
            f" core copies back the box around its elements: {_CURE}",
        )
    start = core.regions[0].blocks[0].operations[0]
    with ir.InsertionPoint(start), items[0].op.location:
        offsets = [_value(side.first, items[0].op.location) for side in sides]
        view = _subview(buffer, offsets, sides)
    for op in dict.fromkeys(a.op.operation for a in items):
        before = list(op.operands).index(buffer) + 1
        op.operands[before - 1] = view
        for d, offset in enumerate(offsets):
            with ir.InsertionPoint(op), op.location:
                index = op.operands[before + d]
                op.operands[before + d] = apply(ir.AffineDimExpr.get(0) - ir.AffineDimExpr.get(1), [index, offset], op.location)


def _side(core: AnyOp, items: Sequence[Access], d: int, values: IndexValues) -> _Side:
    """The indices of dimension `d` that `items` use; all of it if they are unknown."""
    firsts, ends, whole = [], [], _Side(ZERO, items[0].memref.type.shape[d])
    for access in items:
        size = _extent(access.op, access.memref.type.rank - d)
        if size is None:
            return whole
        linear = values.value(access.op.operands[list(access.op.operands).index(access.memref) + 1 + d])
        low, high = linear.constant, linear.constant + size - 1
        outer = []
        for value, factor in linear.terms:
            if not _is_inside(value, core) or value in Loop(core).ivs:
                outer.append((value, factor))
                continue
            if (range_ := values.range_of(value)) is None:
                return whole
            lower, count, step = range_
            ends_of_loop = [factor * lower, factor * (lower + max(0, count - 1) * step)]
            low, high = low + min(ends_of_loop), high + max(ends_of_loop)
        firsts.append((frozenset(outer), low))
        ends.append(high)
    if len({outer for outer, _ in firsts}) != 1:
        return whole
    first = min(low for _, low in firsts)
    return _Side(Linear(first, tuple(firsts[0][0])), max(ends) - first + 1)


def _extent(op: AnyOp, place: int) -> int | None:
    """The number of elements that `op` accesses along a dimension of its buffer, the `place`-th from the end; None if it is
    unknown.
    """
    if op.name in _ELEMENTS:
        return 1
    if op.name not in _VECTORS:
        return None
    kind = next(v.type for v in (*op.results, *op.operands) if isinstance(v.type, ir.VectorType))
    if "transfer" in op.name:
        map_ = op.attributes["permutation_map"].value
        if map_ != ir.AffineMap.get_minor_identity(map_.n_dims, kind.rank) or "false" in str(op.attributes["in_bounds"]):
            return None
    return kind.shape[kind.rank - place] if place <= kind.rank else 1


def _is_within(side: _Side, size: int, dims: tuple[Dim, ...], values: IndexValues) -> bool:
    """Whether `side` lies in a dimension of `size` in all iterations. A condition may keep the accesses inside, not the box."""
    ranges = {dim.iv: (dim.lower, dim.last) for dim in dims}
    low = high = side.first.constant
    for value, factor in side.first.terms:
        if value not in ranges:
            if (range_ := values.range_of(value)) is None:
                return False
            lower, count, step = range_
            ranges[value] = (lower, lower + max(0, count - 1) * step)
        ends = [factor * end for end in ranges[value]]
        low, high = low + min(ends), high + max(ends)
    return low >= 0 and high + side.size <= size


def _are_apart(sides: Iterable[_Side], dims: tuple[Dim, ...]) -> bool:
    """Whether the boxes of all iterations are disjoint: in each dimension, variables step over what is within their steps."""
    apart = set[Any]()
    for side in sides:
        factors = dict(side.first.terms)
        steps = sorted((abs(factors[dim.iv]) * dim.step, dim.trips, n) for n, dim in enumerate(dims) if dim.iv in factors)
        extent, names = side.size, set[Any]()
        for step, trips, n in steps:
            if trips > 1 and step < extent:
                break
            names.add(n)
            extent += step * (trips - 1)
        else:
            apart |= names
    return all(n in apart for n, dim in enumerate(dims) if dim.trips > 1)


def _value(linear: Linear, location: ir.Location) -> Any:
    if linear.is_constant:
        return index_constant(linear.constant)
    terms = (ir.AffineDimExpr.get(n) * factor for n, (_, factor) in enumerate(linear.terms))
    expression = sum(terms, start=ir.AffineConstantExpr.get(linear.constant))
    return apply(expression, [value for value, _ in linear.terms], location)


def _subview(buffer: ir.Value, offsets: list[ir.Value], sides: list[_Side]) -> Any:
    dynamic, kind = ir.ShapedType.get_dynamic_size(), buffer.type
    sizes, strides = [side.size for side in sides], kind.get_strides_and_offset()[0]
    layout = ir.StridedLayoutAttr.get(ir.ShapedType.get_dynamic_stride_or_offset(), strides)
    part = ir.MemRefType.get(sizes, kind.element_type, layout, kind.memory_space)
    ones = [1] * len(sizes)
    return memref.SubViewOp(part, buffer, offsets, [], [], [dynamic] * len(sizes), sizes, ones).result
