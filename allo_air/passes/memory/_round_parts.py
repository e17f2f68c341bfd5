"""Transfers of external memory, split into as many parts as the other end has rounds."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.dialects.air import L3
from allo_air.dialects.operands import MEMREFS, lists_of, memref_of, with_lists
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import deps_of, joined, token_of
from allo_air.passes.memory._transfers import explicit_lists_of


def can_split(transfer: AnyOp, rounds: int, other_ends: list[AnyOp]) -> bool:
    """Whether `transfer` moves in its order what each of `other_ends` moves in `rounds` rounds, and its outer size divides."""
    sizes = _sizes(transfer)
    if (
        sizes is None
        or not is_in(memref_of(transfer).type, L3)
        or {"pad_before", "pad_after"} & set(transfer.attributes.keys())
    ):
        return False
    outer = next((n for n in sizes if n != 1), 1)
    counts = [_sizes(o) for o in other_ends]
    return outer % rounds == 0 and all(c is not None and prod(c) * rounds == prod(sizes) for c in counts)


def split(transfer: Any, rounds: int) -> None:
    """Replaces `transfer` by a loop that moves a part of its outer dimension in each iteration."""
    op, [field] = transfer.operation, MEMREFS[transfer.name]
    offsets, sizes, strides = (list(values) for values in explicit_lists_of(op))
    dim, extent = next((n, extent) for n, v in enumerate(sizes) if (extent := constant_of(v) or 0) != 1)
    token, deps = token_of(op), deps_of(op)
    with op.location, ir.InsertionPoint(op):
        inits = [] if token is None else [joined(deps, op)]
        loop = scf.ForOp(index_constant(0), index_constant(extent), index_constant(extent // rounds), inits)
    with op.location, ir.InsertionPoint(loop.body) as inside:
        start = constant_of(offsets[dim])
        offsets[dim] = loop.induction_variable if start == 0 else arith.addi(offsets[dim], loop.induction_variable)
        sizes[dim] = index_constant(extent // rounds)
        operands = {"deps": list(loop.inner_iter_args) or deps, **with_lists(field, (offsets, sizes, strides))}
        part = token_of(with_operands(op.clone(ip=inside), operands))
        scf.YieldOp([] if part is None else [part])
    if token is not None:
        token.replace_all_uses_with(loop.results[0])
    op.erase()


def _sizes(transfer: AnyOp) -> list[int] | None:
    """The sizes that `transfer` moves; None if one is unknown."""
    values, kind = lists_of(transfer)[1], memref_of(transfer).type
    if not values:
        return list(kind.shape) if kind.has_static_shape else None
    sizes = [n for v in values if (n := constant_of(v)) is not None]
    return sizes if len(sizes) == len(values) else None
