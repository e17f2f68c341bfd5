"""`transform.air.hoist_vector_transfer_pointers`: makes loops carry the addresses of their transfers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.access.linear import Linear
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.walking import is_defined_in
from allo_air.errors import PassError
from allo_air.mlir import affine, arith, ir, memref, vector
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.kernel._rebuilt_for import rebuilt_for
from allo_air.passes.kernel._transfers import Transfer, transfer
from allo_air.transform.operations import Application

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class _Pointer:
    """A transfer of a contiguous vector. The position of its first element is `place`, which grows by `pace` in each
    iteration.
    """

    transfer: Transfer
    place: Linear
    pace: int


def apply(call: Application) -> list[list[ir.Operation]]:
    """Makes the loops carry the positions of their transfers in dense buffers instead of computing them; returns the loops.

    If no position depends on the induction variable, contiguous transfers become one-dimensional ones at a computed position.
    Transfers with a vector that is not contiguous stay.
    Before: `scf.for %k = 0 to 4 { vector.transfer_read %m[%k, 0] : vector<1x64xbf16> }` on memref<4x64xbf16>
    After:  `%f = collapse %m; scf.for iter_args(%p = 0) { vector.transfer_read %f[%p] : vector<64xbf16>; scf.yield %p + 64 }`
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        call.expect(target, "scf.for")
        return _hoisted(target)

    return call.each(rewrite)


def _hoisted(loop: ir.Operation) -> ir.Operation:
    body = [o.operation for o in loop.regions[0].blocks[0].operations]
    transfers = [t for o in body if (t := transfer(o)) is not None]
    for t in transfers:
        if not t.base.type.has_static_shape:
            raise PassError(f"has a transfer on {t.base.type}; only static shapes are supported", t.op.location, t.op.name)
    step = constant_of(loop.operands[2])
    values = IndexValues()
    pointers = [p for t in transfers if (p := _pointer(t, loop, step, values)) is not None]
    moving = [p for p in pointers if p.pace]
    flat: dict[Any, Any] = {}
    if not moving:
        for p in pointers:
            _flatten(p, flat, loop, None)
        return loop
    iv = loop.regions[0].blocks[0].arguments[0]
    with ir.InsertionPoint(loop), loop.location:
        starts = [_start_offset(_without(p.place, iv), dict(p.place.terms).get(iv, 0), loop) for p in moving]
    count = len(loop.operands) - 3
    placed: list[Any] = []

    def enter(arguments: list[ir.Value]) -> list[Any]:
        placed.extend(arguments[count:])
        return arguments[:count]

    def leave(arguments: list[ir.Value], yielded: Sequence[object]) -> list[Any]:
        nexts = [arith.addi(a, index_constant(p.pace, loop.location)) for a, p in zip(arguments[count:], moving, strict=True)]
        return [*yielded, *nexts]

    for p in moving:
        _base(p.transfer, flat, loop)
    new = rebuilt_for(loop, [*list(loop.operands)[3:], *starts], enter, leave)
    for p, place in zip(moving, placed, strict=True):
        _flatten(p, flat, new, place)
    for old, item in zip(loop.results, new.results, strict=False):
        old.replace_all_uses_with(item)
    loop.erase()
    return new


def _pointer(t: Transfer, loop: ir.Operation, step: int | None, values: IndexValues) -> _Pointer | None:
    """The transfer as a contiguous piece of its buffer; None if it is not contiguous, or its position is not linear."""
    kind = t.base.type
    dense = isinstance(kind.layout, ir.AffineMapAttr) and kind.affine_map == ir.AffineMap.get_identity(kind.rank)
    if not dense or not t.is_plain or t.is_masked or not t.is_inside or not _in_one_piece(t) or is_defined_in(t.base, loop):
        return None
    place = Linear(0)
    stride = 1
    for index, size in zip(reversed(t.indices), reversed(kind.shape), strict=True):
        place += values.value(index).scaled(stride)
        stride *= size
    iv = loop.regions[0].blocks[0].arguments[0]
    factor = dict(place.terms).get(iv, 0)
    if any(is_defined_in(v, loop) for v, _ in place.terms if v != iv) or (factor and step is None):
        return None
    return _Pointer(t, place, factor * (step or 0))


def _in_one_piece(t: Transfer) -> bool:
    """Whether the vector is contiguous: whole inner rows, a part of one dimension, and single outer indices."""
    shape, sizes = list(t.base.type.shape), list(t.kind.shape)
    partial = False
    for extent, size in zip(reversed(shape), reversed(sizes), strict=False):
        if partial and size != 1:
            return False
        partial |= size != extent
    return True


def _without(place: Linear, iv: object) -> Linear:
    return Linear(place.constant, tuple(term for term in place.terms if term[0] != iv))


def _start_offset(rest: Linear, factor: int, loop: ir.Operation) -> Any:
    """`rest` + `factor` times the loop's lower bound, as a value."""
    lower = loop.operands[0]
    constant = constant_of(lower)
    total = rest + (Linear(factor * constant) if constant is not None else Linear(0, ((lower, factor),)))
    return _value(total)


def _value(total: Linear) -> Any:
    expression: ir.AffineExpr = ir.AffineConstantExpr.get(total.constant)
    for n, (_, factor) in enumerate(total.terms):
        expression = expression + ir.AffineDimExpr.get(n) * factor
    operands = [v for v, _ in total.terms]
    if not operands:
        return index_constant(total.constant, ir.Location.current)
    return affine.apply(ir.AffineMap.get(len(operands), 0, [expression]), operands)


def _base(t: Transfer, flat: dict[Any, Any], loop: ir.Operation) -> Any:
    """The transfer's buffer collapsed to one dimension, before the loop."""
    if t.base.type.rank == 1:
        return t.base
    if t.base not in flat:
        kind = t.base.type
        total = 1
        for size in kind.shape:
            total *= size
        type_ = ir.MemRefType.get([total], kind.element_type, None, kind.memory_space)
        with ir.InsertionPoint(loop), t.op.location:
            flat[t.base] = memref.collapse_shape(type_, t.base, [range(kind.rank)])
    return flat[t.base]


def _flatten(p: _Pointer, flat: dict[AnyOp, AnyOp], loop: ir.Operation, place: ir.Value | None) -> None:
    """Replaces the transfer by a one-dimensional one at `place`, or at the position computed there."""
    t = p.transfer
    base = _base(t, flat, loop)
    total = 1
    for size in t.kind.shape:
        total *= size
    row = ir.VectorType.get([total], t.kind.element_type)
    map_ = ir.AffineMap.get_identity(1)
    with ir.InsertionPoint(t.op), t.op.location:
        index = _value(p.place) if place is None else place
        if t.is_read:
            padding = list(t.op.operands)[1 + t.base.type.rank]
            read = vector.transfer_read(row, base, [index], map_, padding, [True])
            t.op.results[0].replace_all_uses_with(_shaped(read, t.kind))
        else:
            vector.transfer_write(None, _shaped(t.op.operands[0], row), base, [index], map_, [True])
    t.op.erase()


def _shaped(value: ir.Value, kind: ir.Type) -> Any:
    return value if value.type == kind else vector.ShapeCastOp(kind, value).result
