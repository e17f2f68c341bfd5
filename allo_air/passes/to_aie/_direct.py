"""Replaces DMA copies of herds and segments from and to outer memory by channels while the device is built."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, parents, walk_named
from allo_air.dialects.air import L1, L2, ChannelGetOp, ChannelOp, ChannelPutOp, HerdOp
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import LEVELS, is_in
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.to_aie._segment_ends import segment_ends

_UNITS = ("air.herd", "air.segment")
PREFIX = "airMemcpyId"
"""Prefix of the channels of copies and of their shim allocations, as in MLIR-AIR."""


@dataclass
class DetachedCopy:
    """The copy `op`, temporarily replaced by `end`, the device's end of `channel`."""

    op: Any
    end: Any
    channel: Any
    memref: ir.Value
    lists: tuple[list[ir.Value], list[ir.Value], list[ir.Value]]
    """Offsets, sizes and strides in external memory."""
    ids: list[ir.Value]
    """The transfers of the herd around the copy."""
    segment_ends: list[AnyOp] = field(default_factory=list)
    """If the outer memory is L2: the segment's ends of `channel`, and the operations that compute their operands."""

    @property
    def name(self) -> str:
        """The channel's name."""
        return str(self.channel.sym_name)

    @property
    def reads(self) -> bool:
        """Whether it reads external memory."""
        return isinstance(self.end, ChannelGetOp)


def as_channels(module: AnyOp) -> list[DetachedCopy]:
    """Replaces each copy between a tile's memory and an outer memory by a put or get on a new channel."""
    results: list[DetachedCopy] = []
    first = module.regions[0].blocks[0].operations[0]
    for op in walk_named(module, "air.dma_memcpy_nd"):
        unit = enclosing(op, *_UNITS)
        if unit is None:
            continue
        own_space = L1 if unit.name == "air.herd" else L2
        view = op.opview
        for local, far, reads in ((view.dst, view.src, True), (view.src, view.dst, False)):
            if not is_in(local.type, own_space):
                continue
            if is_in(far.type, LEVELS["L3"]) or (own_space == L1 and is_in(far.type, L2) and _in_segment(unit)):
                results.append(_direct(op, unit, ir.InsertionPoint(first), len(results), reads=reads))
                break
    return results


def _in_segment(unit: AnyOp) -> bool:
    return any(p.name == "air.segment" for p in parents(unit))


def _direct(op: AnyOp, unit: AnyOp, top: ir.InsertionPoint, number: int, *, reads: bool) -> DetachedCopy:
    view = op.opview
    herd = HerdOp(unit) if unit.name == "air.herd" else None
    sizes = [constant_of(v) for v in herd.sizes] if herd else []
    if None in sizes:
        raise error_at(unit, "has sizes that are not constant; air-to-aie takes herds of one or two constant sizes")
    shown = op.attributes["id"].value if "id" in op.attributes else number
    used_names = {sym_name_of(c) for c in walk_named(top.block.owner, "air.channel")}
    name = next(n for n in chain((f"{PREFIX}{shown}",), (f"{PREFIX}{shown}_copy{k}" for k in count())) if n not in used_names)
    channel = ChannelOp(sym_name=name, size=[n for n in sizes if n is not None], loc=op.location, ip=top)
    side = "dst" if reads else "src"
    lists = {f"{side}_{part}": list(getattr(view, f"{side}_{part}")) for part in ("offsets", "sizes", "strides")}
    fields = {
        "deps": deps_of(op), "indices": list(herd.ids) if herd else [], side: getattr(view, side), **lists,
        "chan_name": name, "token": len(op.results) > 0, "loc": op.location, "ip": ir.InsertionPoint(op),
    }  # fmt: skip
    end = (ChannelGetOp if reads else ChannelPutOp)(**fields)
    for attribute_name in ("id", "pad_before", "pad_after"):
        if attribute_name in op.attributes:
            end.operation.attributes[attribute_name] = op.attributes[attribute_name]
    for old, new in zip(op.results, end.operation.results, strict=True):
        old.replace_all_uses_with(new)
    far = "src" if reads else "dst"
    ends = segment_ends(op, herd, name, reads=reads) if herd and is_in(getattr(view, far).type, L2) else []
    offsets, steps, strides = (list(getattr(view, f"{far}_{part}")) for part in ("offsets", "sizes", "strides"))
    ids = list(herd.ids) if herd else []
    return DetachedCopy(op.detach_from_parent(), end, channel, getattr(view, far), (offsets, steps, strides), ids, ends)


def restore(items: list[DetachedCopy]) -> None:
    """Restores the copies, with the names of the shim allocations of their ends."""
    for direct in items:
        end = direct.end.operation
        ir.InsertionPoint(end).insert(direct.op)
        for old, new in zip(end.results, direct.op.operation.results, strict=True):
            old.replace_all_uses_with(new)
        for attribute_name in ("metadataArray", "packet"):
            if attribute_name in end.attributes:
                direct.op.operation.attributes[attribute_name] = end.attributes[attribute_name]
        end.erase()
        for op in reversed(direct.segment_ends):
            op.erase()
        direct.channel.operation.erase()
