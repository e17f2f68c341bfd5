"""Resolves links: the end whose objects are stored, and the part of them that each other end moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import Design, End, Link, Storage, bits, count, width

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoLinkOp


def connect(design: Design) -> None:
    """Assigns every end its storage and its pieces."""
    for op in [o.operation.opview for o in design.block.operations if o.operation.name == "aie.objectfifo.link"]:
        design.links.append(_link(design, op))
    for fifo in design.fifos.values():
        for end in (fifo.producer, *fifo.consumers, fifo.shared):
            if end is None or end.link is not None:
                continue
            end.storage = Storage(end.name, end.tile, end.element)
            end.pieces = [(0, count(end.element), 0)]
            end.times = fifo.repeat if end.produces else 1


def _link(design: Design, op: ObjectFifoLinkOp) -> Link:
    ins = [design.fifos[a.value] for a in op.fifoIns]
    outs = [design.fifos[a.value] for a in op.fifoOuts]
    tile = outs[0].op.producerTile
    consumers, producers = [f.end(1, tile) for f in ins], [f.producer for f in outs]
    if None in consumers or None in producers:
        raise error_at(op, "links objectFifos that do not all meet at one tile")
    link = Link(op, consumers, producers, consumers[0])  # type: ignore[arg-type]
    link.target = _target(link)
    storage = Storage(link.target.name, tile, link.target.element)
    repeat = outs[0].repeat
    for end in (*link.ins, *link.outs):
        if end.link is not None:
            raise error_at(op, f"links '@{end.op.sym_name}', which another link holds at this tile")
        end.link, end.storage = link, storage
        if end in link.ins:
            end.takes = repeat
        else:
            end.times = repeat
    _cut(link)
    return link


def _target(link: Link) -> End:
    """The end with the larger objects, or the end with padding or initial values."""
    if len(link.ins) > 1:
        return link.outs[0]
    if len(link.outs) > 1:
        return link.ins[0]
    [into], [out] = link.ins, link.outs
    if out.op.initValues is not None:
        return out
    return into if out.pads or bits(into.element) >= bits(out.element) else out


def _cut(link: Link) -> None:
    """The pieces of the stored object that each end moves, with the locks that guard them."""
    op, target = link.op, link.target
    whole = count(target.element)
    offsets = list(op.src_offsets) if len(link.ins) > 1 else list(op.dst_offsets) or list(op.src_offsets) or [0]
    if len(link.parts) == 1:
        if offsets != [0]:
            raise error_at(op, f"has offset {offsets[0]}; between one objectFifo and one other there is no part to choose")
        for end in (*link.ins, *link.outs):
            end.pieces = [(0, whole, 0)]
        return
    for end in (*link.ins, *link.outs):
        if end is target:
            continue
        index = next(i for i, part in enumerate(link.parts) if part is end)
        end.pieces = [(offsets[index], _length(op, end, target, offsets, index), index)]
    target.pieces = sorted(part.pieces[0] for part in link.parts)
    covered = sum(length for _, length, _ in target.pieces)
    if covered != whole:
        raise error_at(
            op,
            f"cuts objects of {counted(whole, 'element')} into parts of {counted(covered, 'element')} in all "
            f"({', '.join(f'{length} at {offset}' for offset, length, _ in target.pieces)}); the parts must make up the object",
        )


def _length(op: ir.Operation, end: End, target: End, offsets: list[int], index: int) -> int:
    """Elements of the larger object from one offset to the next: whole objects of the smaller FIFO, or a share of one."""
    whole, offset = count(target.element), offsets[index]
    own = bits(end.element) // width(target.element)
    later = [o for o in offsets if o > offset]
    gap = min(later, default=whole) - offset
    if gap < 1 or not own or (gap % own and own % gap):
        raise error_at(
            op,
            f"gives '@{end.op.sym_name}' "
            f"{counted(gap, 'element')} from offset {offset} on; its objects are {own} of these, "
            "and parts hold whole objects and do not overlap",
        )
    return gap
