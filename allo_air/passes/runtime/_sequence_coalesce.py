"""Merges consecutive transfers of a paced channel that are contiguous in memory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import prod
from typing import Any

from allo_air.access.dims import is_contiguous
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes.runtime._barriers import PACED
from allo_air.passes.runtime._schedule import S2MM
from allo_air.passes.runtime._sequence_steps import COALESCED, Channel


def coalesce(function: AnyOp, allocations: Mapping[str, Channel], device_block: ir.Block) -> None:
    """Merges consecutive contiguous inputs of one paced circuit channel in place. The merged transfer is marked, and waited
    for once.
    """
    packets = _packet_sources(device_block)
    last: dict[tuple[Any, str], Any] = {}
    block: Any = None
    for op in walk_named(function, "airrt.dma_memcpy_nd", "airrt.wait_all", "scf.for", "scf.if", "scf.index_switch"):
        if block is None or op.block != block or op.name != "airrt.dma_memcpy_nd":
            if not (op.name == "airrt.wait_all" and len(op.results)):
                last.clear()
            block = op.block
            if op.name != "airrt.dma_memcpy_nd":
                continue
        name = op.attributes["metadata"].value if "metadata" in op.attributes else ""
        channel = allocations.get(name)
        if channel is None or channel[1] == S2MM or PACED not in op.attributes or channel in packets:
            continue
        key = (op.opview.memref, name)
        before, own_range = last.get(key), _range(op)
        for key_of_name in [k for k in last if k[1] == name and k != key]:
            del last[key_of_name]
        if before is None or own_range is None or (whole := _joined(before, op, own_range)) is None:
            last[key] = op if own_range is not None else None
            continue
        last[key] = whole


def _packet_sources(device_block: ir.Block) -> list[Channel]:
    """The shim channels that send packets."""
    return [
        (source.opview.tile, 1 - S2MM, source.opview.channel)
        for flow in device_block.operations
        if flow.operation.name == "aie.packet_flow"
        for source in walk_named(flow, "aie.packet_source")
    ]


def _range(op: AnyOp) -> tuple[int, int] | None:
    """The first element of a contiguous transfer and its number of elements; None for any other transfer."""
    view = op.opview
    lists: Any = [[constant_of(getattr(view, f"{name}{i}")) for i in (3, 2, 1, 0)] for name in ("offset", "length", "stride")]
    if any(n is None for numbers in lists for n in numbers) or "packet" in op.attributes:
        return None
    offsets, sizes, strides = lists
    if not is_contiguous(list(zip(sizes, strides, strict=True))):
        return None
    return sum(o * s for o, s in zip(offsets, strides, strict=True)), prod(sizes)


def _joined(before: AnyOp, op: AnyOp, own_range: tuple[int, int]) -> Any:
    """One transfer that replaces `before` and `op`; None if they are not contiguous."""
    start, length = _range(before)  # type: ignore[misc]
    if start + length != own_range[0]:
        return None
    constant = partial(arith.constant, ir.IntegerType.get_signless(64))
    with ir.InsertionPoint(before), before.location:
        first, one, zero = list(before.operands)[:4], constant(1), constant(0)
        lists = [zero, zero, zero, constant(start), one, one, one, constant(length + own_range[1]), zero, zero, zero, one]
        attributes = dict(before.attributes.items()) | {COALESCED: ir.UnitAttr.get()}
        joined = ir.Operation.create(before.name, [r.type for r in before.results], [*first, *lists], attributes)
    for old in (before, op):
        for result, new in zip(old.results, joined.results, strict=False):
            result.replace_all_uses_with(new)
        old.erase()
    return joined
