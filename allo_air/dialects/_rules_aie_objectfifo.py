"""Rules of objectFifos and their links."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects._aie_objectfifo import (
    ObjectFifoAcquireOp,
    ObjectFifoAllocateOp,
    ObjectFifoLinkOp,
    ObjectFifoOp,
)
from allo_air.dialects._places import device_of, is_shim, kind_of, size_stride_pairs, symbols_of
from allo_air.dialects._rules import Report, parent_of, rule
from allo_air.errors import nearest, suggestion
from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.dialects._aie_objectfifo import ObjectFifoReleaseOp

_PRODUCE, _CONSUME = 0, 1
_MAX_ITERATIONS = 256


@rule("aie.objectfifo")
def depths(op: ObjectFifoOp, report: Report) -> None:
    """An array of depths has one for the producer and one for each consumer."""
    number = op.elemNumber
    if not op.consumerTiles:
        report.warning(op, "has no consumer tile")
    elif isinstance(number, ir.ArrayAttr):
        if len(number) != len(op.consumerTiles) + 1:
            report.error(
                op,
                "does not have enough depths specified for producer and for each consumer. Found "
                f"{len(number)} depths, {len(op.consumerTiles)} consumers",
            )
    elif not isinstance(number, ir.IntegerAttr):
        report.error(op, f"attribute 'elemNumber' failed to satisfy constraint: integer or array of integers, found {number}")


@rule("aie.objectfifo")
def producer_limits(op: ObjectFifoOp, report: Report) -> None:
    """Limits of a shim tile as producer, and attributes that exclude each other."""
    attributes = op.attributes
    repeat = op.repeat_count if op.repeat_count is not None else op.memtile_repeat_count
    if is_shim(op.producerTile, report):
        if size_stride_pairs(op.dimensionsToStream):
            report.error(op, "`dimensionsToStream` data layout transformations are not supported on shim tile producers")
            return
        if repeat is not None:
            report.error(op, "`repeat_count` unavailable for shim tiles")
            return
        if "initValues" in attributes:
            report.error(op, "`init_values` unavailable for shim tiles")
            return
    if op.via_shared_mem is not None:
        if len(op.consumerTiles) > 1:
            report.error(op, "`via_shared_mem` can only be used in 1-to-1 object FIFOs")
        elif op.via_DMA:
            report.error(op, "`via_shared_mem` and `via_DMA` cannot occur together")
    values, depth = op.initValues, _producer_depth(op)
    if isinstance(values, ir.ArrayAttr) and depth is not None and len(values) != depth:
        report.error(op, f"`init_values` does not initialize all objects: {len(values)} values, {depth} objects")


@rule("aie.objectfifo")
def consumer_limits(op: ObjectFifoOp, report: Report) -> None:
    """A shim tile cannot reorder received data."""
    per_consumer = str(op.dimensionsFromStreamPerConsumer)
    for tile, dims in zip(op.consumerTiles, _lists(per_consumer), strict=False):
        if dims and is_shim(tile, report):
            report.error(op, "`dimensionsFromStream` data layout transformations are not supported on shim tile consumers")
            return


@rule("aie.objectfifo")
def iterations(op: ObjectFifoOp, report: Report) -> None:
    """An iteration count is for memtiles, which have the counter."""
    if op.iterations is None:
        return
    name = "bd_chain_iter_count" if op.iter_count is None else "iter_count"
    if op.iter_count is not None and op.bd_chain_iter_count not in (None, op.iter_count):
        report.error(op, f"`iter_count` is {op.iter_count}, `bd_chain_iter_count` {op.bd_chain_iter_count}; give one of them")
        return
    if not 1 <= op.iterations <= _MAX_ITERATIONS:
        report.error(op, f"`{name}` must be between 1 and {_MAX_ITERATIONS}, found {op.iterations}")
        return
    kinds = [kind_of(tile, report) for tile in (op.producerTile, *op.consumerTiles)]
    if "mem" not in kinds and None not in kinds:
        report.error(op, f"`{name}` is currently only supported on MemTiles")


@rule("aie.objectfifo")
def consumer_type(op: ObjectFifoOp, report: Report) -> None:
    """Consumers' objects are equal parts of the producer's."""
    if op.consumerElemType is None:
        return
    types = [ir.Type.parse(element_of(t)) for t in (op.elemType, op.consumerElemType)]
    if not all(isinstance(t, ir.MemRefType) and t.has_static_shape for t in types):
        report.error(op, f"expects memrefs of static shape on both sides, found {types[0]} and {types[1]}")
        return
    produced, consumed = types
    if produced.element_type != consumed.element_type:
        report.error(op, f"producer and consumer objects must have the same element type: {produced} and {consumed}")
        return
    whole, part = prod(produced.shape), prod(consumed.shape)
    if not part or whole % part:
        report.error(
            op,
            f"the producer's objects must hold a multiple of the consumer's elements: {whole} in {produced}, "
            f"{part} in {consumed}",
        )


@rule("aie.objectfifo")
def pinned_channels(op: ObjectFifoOp, report: Report) -> None:
    """Each consumer has one entry; an end that is a core's stream has no DMA channel."""
    pins = op.cons_dma_channels
    if pins is not None and len(pins) != len(op.consumerTiles):
        report.error(
            op,
            f"`cons_dma_channels` needs one entry per consumer: {len(pins)} entries, {len(op.consumerTiles)} consumers",
        )
    elif op.aie_stream is not None and (op.prod_dma_channel is not None or pins is not None):
        report.error(
            op, "`prod_dma_channel` and `cons_dma_channels` cannot be used with `aie_stream`, which takes no DMA channel"
        )


@rule("aie.objectfifo")
def streams(op: ObjectFifoOp, report: Report) -> None:
    """A stream end must be given with its port."""
    if (op.aie_stream is None) != (op.aie_stream_port is None):
        report.error(op, "`aie_stream` and `aie_stream_port` must be given together")
    elif op.aie_stream is not None and op.aie_stream not in (0, 1, 2):
        report.error(op, f"`aie_stream` must be 0 (producer), 1 (consumers) or 2 (both), found {op.aie_stream}")


@rule("aie.objectfifo")
def padding_value(op: ObjectFifoOp, report: Report) -> None:
    """A padding word needs padding, and a register, which AIE2p has."""
    if op.padValue is None:
        return
    if op.padDimensions is None:
        report.error(op, "`padValue` requires `padDimensions`")
    elif op.padValue and (device := device_of(op, report)) is not None and not arch_of(device).pad_values:
        report.error(op, f"`padValue` is {op.padValue}; DMAs of {device.name} pad with 0 only, AIE2p has a register for it")


@rule("aie.objectfifo")
def one_link(op: ObjectFifoOp, report: Report) -> None:
    """An objectFifo has one storage to share at each of its tiles.

    Links at different tiles of the FIFO, as in a chain of memtiles with one FIFO from each to the next, would work, but
    mlir-aie of August 2026 rejects them.
    """
    links = report.memo.setdefault("links of objectFifos", {})
    device = parent_of(op)
    if device not in links:
        links[device] = _links_of(device)
    first, *more = links[device].get(op.sym_name, [None])
    if more and _are_apart(op, [first, *more]):
        report.warning(op, "is in more than one ObjectFifoLinkOp, which mlir-aie refuses since August 2026")
    elif more:
        report.error(op, "cannot be in more than one ObjectFifoLinkOp", (first, "first"), (more[0], "second"))


def _are_apart(op: ObjectFifoOp, links: list[AnyOp]) -> bool:
    """Whether each of `links` is on another tile than the producer of its destination."""
    named = {sym_name_of(o): o for o in walk_named(parent_of(op), "aie.objectfifo")}
    tiles = []
    for link in links:
        if not _is_symbols(link.attributes["fifoOuts"]):
            return False
        tiles.append({named[s.value].operands[0] for s in link.attributes["fifoOuts"] if s.value in named})
    return all(len(t) == 1 for t in tiles) and len({next(iter(t)) for t in tiles}) == len(tiles)


def _links_of(device: ir.Operation) -> dict[str, list[ir.Operation]]:
    ops: dict[str, list[ir.Operation]] = {}
    for op in walk_named(device, "aie.objectfifo.link"):
        for side in ("fifoIns", "fifoOuts"):
            names: Any = op.attributes.get(side)
            for symbol in names if _is_symbols(names) else ():
                ops.setdefault(symbol.value, []).append(op)
    return ops


@rule("aie.objectfifo.allocate")
def allocate(op: ObjectFifoAllocateOp, report: Report) -> None:
    """The memory of another tile can only be used for a plain FIFO between two cores."""
    fifo = named_fifo(op, report)
    if fifo is None:
        return
    if len(fifo.consumerTiles) != 1:
        report.error(op, "can only be used in 1-to-1 object FIFOs")
        return
    storage = {
        "via_DMA": fifo.via_DMA,
        "repeat_count": fifo.repeat_count is not None,
        "dimensionsToStream": size_stride_pairs(fifo.dimensionsToStream),
        "dimensionsFromStreamPerConsumer": size_stride_pairs(fifo.dimensionsFromStreamPerConsumer),
    }
    for name, value in storage.items():
        if value:
            report.error(op, f"cannot allocate a shared memory module to objectfifo with set `{name}` attribute")
            return


@rule("aie.objectfifo.link")
def link(op: ObjectFifoLinkOp, report: Report) -> None:
    """A link is at one tile; a join (many to one) or distribution (one to many) is at a memtile, with one offset for each
    FIFO."""
    if not (_is_symbols(op.fifoIns) and _is_symbols(op.fifoOuts)):
        report.error(op, "expects fifoIns and fifoOuts to be arrays of symbols")
        return
    names = ([a.value for a in op.fifoIns], [a.value for a in op.fifoOuts])
    symbols = symbols_of(op, report)
    for name in (*names[0], *names[1]):
        if getattr(symbols.get(name), "name", "") != "aie.objectfifo":
            report.error(op, _no_fifo(name, symbols))
            return
    ins, outs = ([ObjectFifoOp(symbols[name]) for name in side] for side in names)
    join, distribute = len(ins) > 1, len(outs) > 1
    if join and distribute:
        report.error(op, "ObjectFifoLinkOp does not support 'join' and 'distribute' at the same time")
        return
    tile = _shared_tile(ins, outs)
    if tile is None:
        report.error(op, "ObjectFifoLinkOp must have a link point, i.e., a shared tile between objectFifos")
        return
    if (join or distribute) and kind_of(tile, report) not in ("mem", None):
        report.error(op, "ObjectFifoLinkOp join and distribute are unavailable on compute or shim tiles")
        return
    if join:
        _check_offsets(op, "src", "dst", "input", "join", len(ins), report)
    elif distribute:
        if _check_offsets(op, "dst", "src", "output", "distribute", len(outs), report):
            counts = [fifo.repeat_count or 0 for fifo in outs]
            if len(set(counts)) > 1:
                report.error(op, f"repeat counts of output object FIFOs must be equal, found {counts}")
    elif op.src_offsets and op.dst_offsets:
        report.error(op, "all offsets should be empty if there is no join or distribute")


def _shared_tile(ins: list[ObjectFifoOp], outs: list[ObjectFifoOp]) -> Any:
    if not ins or not outs or not all(fifo.consumerTiles for fifo in ins):
        return None
    if len(ins) > 1:
        tile = outs[0].producerTile
        return tile if all(fifo.consumerTiles[0] == tile for fifo in ins) else None
    if len(outs) > 1:
        tile = ins[0].consumerTiles[0]
        return tile if all(fifo.producerTile == tile for fifo in outs) else None
    return outs[0].producerTile if outs[0].producerTile in list(ins[0].consumerTiles) else None


def _check_offsets(op: ObjectFifoLinkOp, side: str, offset_name: str, what: str, name: str, count: int, report: Report) -> bool:
    offsets = {"src": op.src_offsets, "dst": op.dst_offsets}
    if len(offsets[side]) != count:
        report.error(
            op,
            f"number of provided {side} offsets must be equal to the number of {what} objectFifos: "
            f"{len(offsets[side])} offsets, {count} FIFOs",
        )
    elif offsets[offset_name]:
        report.error(op, f"{offset_name} offsets should be empty for {name}")
    else:
        return True
    return False


def _is_symbols(attribute: ir.Attribute) -> bool:
    return isinstance(attribute, ir.ArrayAttr) and all(isinstance(a, ir.FlatSymbolRefAttr) for a in attribute)


def named_fifo(op: ObjectFifoAcquireOp | ObjectFifoAllocateOp | ObjectFifoReleaseOp, report: Report) -> ObjectFifoOp | None:
    """The FIFO that `op` names; reports an error if there is none."""
    symbols = symbols_of(op, report)
    symbol = symbols.get(op.objFifo_name)
    if symbol is not None and symbol.name == "aie.objectfifo":
        return ObjectFifoOp(symbol)
    report.error(op, _no_fifo(op.objFifo_name, symbols))
    return None


def _no_fifo(name: str, symbols: Mapping[str, ir.Operation]) -> str:
    names = [symbol for symbol, item in symbols.items() if item.name == "aie.objectfifo"]
    text = f"cannot retrieve associated object FIFO: '{name}' is not an aie.objectfifo of this device"
    return text + (suggestion(tuple(f"@{n}" for n in nearest(name, names))) or f" (there are: {', '.join(names) or 'none'})")


def _producer_depth(op: ObjectFifoOp) -> int | None:
    number = op.elemNumber
    first = number[0] if isinstance(number, ir.ArrayAttr) and len(number) else number
    return first.value if isinstance(first, ir.IntegerAttr) else None


def _lists(text: str) -> list[str]:
    """The inner lists of `#aie.bd_dim_layout_array_array<[[...], []]>`, as text; an empty one is falsy."""
    inner = text[text.find("[") + 1 : text.rfind("]")]
    return [piece.strip(" ,[]") for piece in inner.split("]")[:-1]] if inner else []


def element_of(fifo_type: ir.Type) -> str:
    """The memref in `!aie.objectfifo<...>` and `!aie.objectfifosubview<...>`."""
    text = str(fifo_type)
    return text[text.find("<") + 1 : text.rfind(">")]
