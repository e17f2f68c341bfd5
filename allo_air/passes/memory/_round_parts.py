"""Transfers of external memory, split into as many parts as the other end has rounds."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.dialects.air import L3, ChannelPutOp
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.tokens import deps_of, joined, token_of


def can_split(transfer: AnyOp, rounds: int, other_ends: list[AnyOp]) -> bool:
    """Whether `transfer` moves in its order what each of `other_ends` moves in `rounds` rounds, and its outer size divides."""
    sizes = _sizes(transfer)
    if sizes is None or not is_in(_buffer(transfer).type, L3) or {"pad_before", "pad_after"} & set(transfer.attributes.keys()):
        return False
    outer = next((n for n in sizes if n != 1), 1)
    counts = [_sizes(o) for o in other_ends]
    return outer % rounds == 0 and all(c is not None and prod(c) * rounds == prod(sizes) for c in counts)


def split(transfer: Any, rounds: int) -> None:
    """Replaces `transfer` by a loop that moves a part of its outer dimension in each iteration."""
    lists = _lists(transfer)
    sizes = [constant_of(v) or 0 for v in lists[1]]
    dim = next(n for n, size in enumerate(sizes) if size != 1)
    part = sizes[dim] // rounds
    token, deps = token_of(transfer), deps_of(transfer)
    with transfer.location, ir.InsertionPoint(transfer):
        inits = [] if token is None else [joined(deps, transfer)]
        loop = scf.ForOp(index_constant(0), index_constant(sizes[dim]), index_constant(part), inits)
    with transfer.location, ir.InsertionPoint(loop.body):
        offsets = list(lists[0])
        start = constant_of(offsets[dim])
        offsets[dim] = loop.induction_variable if start == 0 else arith.addi(offsets[dim], loop.induction_variable)
        parts = list(lists[1])
        parts[dim] = index_constant(part)
        part_transfer = _rebuilt(transfer, [offsets, parts, lists[2]], list(loop.inner_iter_args) or deps)
        scf.YieldOp([part_transfer.token] if token is not None else [])
    if token is not None:
        token.replace_all_uses_with(loop.results[0])
    transfer.operation.erase()


def _is_put(transfer: AnyOp) -> bool:
    return transfer.name == ChannelPutOp.OPERATION_NAME


def _buffer(transfer: AnyOp) -> Any:
    return transfer.opview.src if _is_put(transfer) else transfer.opview.dst


def _lists(transfer: AnyOp) -> list[list[Any]]:
    """Offsets, sizes and strides; those of the whole buffer if there are none."""
    op, side = transfer.opview, "src" if _is_put(transfer) else "dst"
    lists = [list(getattr(op, f"{side}_{name}")) for name in ("offsets", "sizes", "strides")]
    if lists[1]:
        return lists
    kind = _buffer(transfer).type
    strides, _ = kind.get_strides_and_offset()
    with transfer.location, ir.InsertionPoint(transfer):
        return [[index_constant(n) for n in numbers] for numbers in ([0] * kind.rank, kind.shape, strides)]


def _sizes(transfer: AnyOp) -> list[int] | None:
    """The sizes that `transfer` moves; None if one is unknown."""
    op, side = transfer.opview, "src" if _is_put(transfer) else "dst"
    values = list(getattr(op, f"{side}_sizes"))
    if not values:
        return list(_buffer(transfer).type.shape) if _buffer(transfer).type.has_static_shape else None
    sizes = [constant_of(v) for v in values]
    return None if None in sizes or len(getattr(op, f"{side}_offsets")) != len(sizes) else sizes  # type: ignore[return-value]


def _rebuilt(transfer: AnyOp, lists: list[list[Any]], deps: list[Any]) -> Any:
    """`transfer` with other lists and dependences."""
    side = "src" if _is_put(transfer) else "dst"
    fields: dict[str, Any] = {f"{side}_{n}": v for n, v in zip(("offsets", "sizes", "strides"), lists, strict=True)}
    fields[side] = _buffer(transfer)
    own_attributes = ("chan_name", "operandSegmentSizes", "src_", "dst_", "static_")
    attributes = {n: transfer.attributes[n] for n in transfer.attributes if not n.startswith(own_attributes)}
    op = transfer.opview
    return type(op)(
        deps=deps,
        indices=list(op.indices),
        chan_name=op.chan_name,
        token=token_of(transfer) is not None,
        attributes=attributes,
        **fields,
    )
