"""Lowers channels to objectFifos: cores acquire and release objects instead of buffers, memtiles link FIFOs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import ancestor_in, walk_named
from allo_air.dialects import aie
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir, memref
from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._cores import FREE, MARK
from allo_air.passes.to_aie._design import Buffer, Flow, Place, Port, Transfer
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._periods import Loop, items, pick
from allo_air.passes.to_aie._streams import Ends, HostEnds, flows

_PRODUCE, _CONSUME = 0, 1
FIFO_END = "_shim_alloc"
"""Suffix of a fifo's name in the name of its allocation at a shim."""


def add_fifo(
    name: str,
    depth: int,
    source: ir.Value,
    dests: Sequence[ir.Value],
    element: ir.MemRefType,
    ip: ir.InsertionPoint,
    location: ir.Location,
) -> None:
    """The fifo `name` of `depth` objects from tile `source` to others."""
    aie.ObjectFifoOp(
        producerTile=source,
        consumerTiles=list(dests),
        sym_name=name,
        elemNumber=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), depth),
        elemType=ir.Type.parse(f"!aie.objectfifo<{element}>"),
        dimensionsToStream=ir.Attribute.parse("#aie.bd_dim_layout_array<[]>"),
        dimensionsFromStreamPerConsumer=ir.Attribute.parse(
            f"#aie.bd_dim_layout_array_array<[{', '.join(['[]'] * len(dests))}]>"
        ),
        loc=location,
        ip=ip,
    )


def use_fifo(name: str, mark: AnyOp, frees: Sequence[AnyOp], buffer: ir.Value, *, is_put: bool) -> ir.Value:
    """Makes a core that puts or gets `buffer` at `mark` use an object of fifo `name` instead, from the start of the block on.

    It releases the object where the buffer is freed in that block, or at the block's end. Returns the object.
    """
    block = mark.operation.block
    element = buffer.type
    port = _PRODUCE if is_put else _CONSUME
    place = mark.operation.parent.operation.location
    with place, ir.InsertionPoint.at_block_begin(block):
        access = _acquired(name, port, element)
    for use in list(buffer.uses):
        owner = use.owner.operation
        if not _inside(owner, block):
            raise error_at(
                mark,
                "moves a buffer that its core uses outside of the block that moves it; an object is held in one block",
            )
        owner.operands[use.operand_number] = access
    here = [op for op in frees if op.operation.block == block]
    successor = here[-1].operation if here else block.operations[-1].operation
    aie.ObjectFifoReleaseOp(objFifo_name=name, port=port, size=1, loc=place, ip=ir.InsertionPoint(successor))
    return access


def _acquired(name: str, port: int, element: ir.Type) -> ir.Value:
    """The object of type `element` that is acquired at the `port` of fifo `name`."""
    view = ir.Type.parse(f"!aie.objectfifosubview<{element}>")
    acquire = aie.ObjectFifoAcquireOp(subview=view, objFifo_name=name, port=port, size=1)
    return aie.ObjectFifoSubviewAccessOp(subview=acquire.subview, index=0, output=element).output


def send_copy(name: str, mark: AnyOp, held: ir.Value) -> None:
    """Produces, at `mark`, an object of fifo `name` that is a copy of the object `held` of another fifo."""
    with ir.InsertionPoint(mark), mark.location:
        memref.copy(held, _acquired(name, _PRODUCE, held.type))
        aie.ObjectFifoReleaseOp(objFifo_name=name, port=_PRODUCE, size=1)


def _inside(op: AnyOp, block: ir.Block) -> bool:
    return ancestor_in(op, block) is not None


def link(
    builder: DeviceBuilder, buffer: Buffer, tree: Sequence[ir.Value], names: dict[Key, str], kinds: Mapping[Key, ir.MemRefType]
) -> None:
    """Links the fifos that fill an L2 buffer to those that empty it; the fifos of parts have offsets. `tree` has the buffer's
    transfers, in loops; `kinds` are the object types of the fifos.
    """
    transfers = list(items(tuple(tree)))
    ins, outs = ([t for t in transfers if t.put is is_put] for is_put in (False, True))
    if not ins or not outs:
        raise error_at(buffer.op, "is filled or read by the device only; a memtile forwards what one fifo brings to another")
    if len(ins) > 1 and len(outs) > 1:
        raise error_at(buffer.op, "is filled and read by several channels; a memtile joins fifos or divides one")
    _check_once(tree)
    for number, transfer in enumerate(transfers):
        if any(earlier.key == transfer.key and earlier.put is transfer.put for earlier in transfers[:number]):
            raise error_at(
                transfer.op, "moves another part of an L2 buffer over the same channel; a memtile joins or divides by fifos"
            )
        if transfer.walk.plain.dims != ((transfer.walk.length, 1),) or transfer.walk.pads:
            raise error_at(transfer.op, "moves its part of an L2 buffer in another order; objectFifos of channels keep it")
        if transfer.walk.length != (size := prod(kinds[transfer.key].shape)):
            raise error_at(
                transfer.op,
                f"moves {counted(transfer.walk.length, 'element')} of an L2 buffer in objects of {size}; move as many",
            )
    for many in (ins, outs):
        if (moved := sum(t.walk.length for t in many)) != (size := prod(buffer.type.shape)):
            raise error_at(
                many[0].op,
                f"and others move {moved} of {counted(size, 'element')} of an L2 buffer; a link forwards each element once",
            )

    def side(many: Sequence[Transfer]) -> ir.ArrayAttr:
        return ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(names[t.key]) for t in many])

    def offsets(many: Sequence[Transfer]) -> list[int]:
        return [t.walk.offset for t in many] if len(many) > 1 else []

    aie.ObjectFifoLinkOp(
        fifoIns=side(ins), fifoOuts=side(outs), src_offsets=offsets(ins), dst_offsets=offsets(outs), loc=builder.location,
        ip=builder.ip("external"),
    )  # fmt: skip


def _check_once(tree: Sequence[ir.Value]) -> None:
    """Raises an error if a loop contains some transfers of a buffer but not the others, since a link forwards each object
    once."""
    loops = [node for node in tree if isinstance(node, Loop)]
    if len(tree) == len(loops) == 1:
        _check_once(loops[0].body)
    elif result := next((loop for loop in loops if loop.count != 1), None):
        times = "more than once" if result.count is None else counted(result.count, "time")
        raise error_at(
            next(items(result.body)).op,
            f"moves an L2 buffer {times} while it is filled or read otherwise; a link of objectFifos forwards each object once",
        )


def lower_to_fifos(device: Any, host: HostEnds, homes: Mapping[int, Place]) -> tuple[list[Flow], dict[Key, Port]]:
    """Adds objectFifos for the channels of a DeviceLowering with cores; returns streams and shims, like `flows`."""
    builder, bundles = device.builder, device.bundles
    ends: dict[Key, Ends] = {}
    kinds: dict[Key, Any] = {}
    inner = {b.number: b.type for b in device.device_cores.buffers}
    results = [(place, t) for place, core in device.cores.items() for t in core.clone.transfers]
    of_segment = list(items(device.contents.tree))
    for place, t in [*results, *((homes[t.buffer], t) for t in of_segment)]:
        side = ends.setdefault(t.key, Ends())
        many = side.puts if t.put else side.gets
        if all(port[0] != place for port, _ in many):
            many.append(((place, t.put, 0), t.op))
        kinds.setdefault(t.key, inner[t.buffer])
    streams, shims = flows(device._flow_order(ends, host), host, bundles, device.settings.device)
    for flow in streams:
        for port in (flow.source, *flow.dests):
            device.device_cores.tile(port[0])
        bundle, tiles = bundles[flow.key[0]], [builder.tiles[port[0]] for port in (flow.source, *flow.dests)]
        depth, ip = bundle.asks("buffer_resources") or 1, builder.ip("external")
        add_fifo(bundle.symbol(flow.key), depth, tiles[0], tiles[1:], kinds[flow.key], ip, builder.location)
    names = {key: bundles[key[0]].symbol(key) for key in ends}
    for buffer in device.contents.buffers:
        link(builder, buffer, pick(device.contents.tree, partial(_moves, buffer.number)), names, kinds)
    for core in device.cores.values():
        _core(core, builder, names)
    return streams, shims


def _moves(number: int, transfer: Transfer) -> bool:
    return transfer.buffer == number


def _core(core: Any, builder: DeviceBuilder, names: dict[Key, str]) -> None:
    waits = walk_named(core.op, "air.wait_all")
    marks = {core.clone.transfers[o.attributes[MARK].value]: o for o in waits if MARK in o.attributes}
    held: dict[int, ir.Value] = {}
    sent = set()
    blocks: dict[Key, list[Any]] = {}
    for transfer in core.clone.transfers:
        if not transfer.walk.is_whole or transfer.walk.pads:
            raise error_at(transfer.op, "moves part of a buffer of its core, or in another order; an object is a whole buffer")
        block = marks[transfer].operation.block
        before = blocks.setdefault(transfer.key, [])
        if any(_inside(marks[transfer], hold) or _inside(hold.owner, block) for hold in before):
            raise error_at(
                transfer.op,
                f"moves a second buffer over '@{transfer.key[0]}' where the core holds one already, up to the end of its block:"
                " move one for each round of a loop, or over another channel",
            )
        before.append(block)
        got = held.get(transfer.buffer)
        if got is not None:
            if not transfer.put or transfer.buffer in sent or not _inside(marks[transfer], got.owner.operation.block):
                raise error_at(transfer.op, "moves a buffer that another moves, too; an object is of one fifo: copy it")
            send_copy(names[transfer.key], marks[transfer], got)
            continue
        frees = [o for o in waits if FREE in o.attributes and o.attributes[FREE].value == transfer.buffer]
        buffer = builder.buffers[transfer.buffer]
        held[transfer.buffer] = use_fifo(names[transfer.key], marks[transfer], frees, buffer, is_put=transfer.put)
        if transfer.put:
            sent.add(transfer.buffer)
    for number in held:
        builder.buffers.pop(number).owner.operation.erase()
    for mark in waits:
        mark.erase()
