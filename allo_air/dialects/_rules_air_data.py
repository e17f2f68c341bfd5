"""Rules of AIR's data movement: DMA copies, channels, puts and gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.dialects._rules import Report, enclosing, rule
from allo_air.dialects._rules_air_memory import space_of
from allo_air.dialects.air import CHANNEL_TYPES, L1, L3, ChannelGetOp, ChannelOp, ChannelPutOp, DmaMemcpyNdOp
from allo_air.dialects.air_values import outer_operand
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir

_MAX_PAD = 65535
_INT32_MAX = 2**31 - 1
_REFEED, _SYMMETRIC = "air.refeed_count", "air.symmetric"


@rule("air.dma_memcpy_nd")
def dma_access(op: DmaMemcpyNdOp, report: Report) -> None:
    """Each side's sizes and strides have the same length; offsets may be fewer."""
    _check_access(op, "dst ", op.dst_offsets, op.dst_sizes, op.dst_strides, report)
    _check_access(op, "src ", op.src_offsets, op.src_sizes, op.src_strides, report)
    _check_padding(op, ((op.src, op.src_sizes), (op.dst, op.dst_sizes)), report)


@rule("air.dma_memcpy_nd")
def dma_ranks(op: DmaMemcpyNdOp, report: Report) -> None:
    """A copy from or to another rank is inside an air.rank, and that side's buffer is symmetric."""
    for name, number, memref in (("src_rank", op.src_rank, op.src), ("dst_rank", op.dst_rank, op.dst)):
        if number is None:
            continue
        if number < 0:
            report.error(op, f"{name} must be non-negative, found {number}")
        if enclosing(op, "air.rank") is None:
            report.error(op, f"{name} is only allowed inside air.rank")
        alloc = _passed(memref)
        if not isinstance(alloc, ir.OpResult) or alloc.owner.name != "memref.alloc" or _SYMMETRIC not in alloc.owner.attributes:
            report.error(op, f"{name} requires the memref to come from a memref.alloc with the '{_SYMMETRIC}' attribute")


@rule("air.channel.put")
def put_access(op: ChannelPutOp, report: Report) -> None:
    """As for DMA copies; an mmio channel is put from L3."""
    sizes = op.src_sizes
    _check_access(op, "", op.src_offsets, sizes, op.src_strides, report)
    _check_padding(op, ((op.src, sizes),), report)
    _check_refeed(op, report)
    channel = _channel(op, report)
    if channel is not None:
        _check_indices(op, channel, channel.size, report)
        _check_heap(op, channel, report)
        if _is_plain(channel.channel_type) == "mmio" and space_of(op.src.type, report) not in (L3, None):
            report.error(op, f"on an mmio channel must put from L3 (memory space 0), found {op.src.type}")


@rule("air.channel.get")
def get_access(op: ChannelGetOp, report: Report) -> None:
    """As for DMA copies; an mmio channel is got into L1."""
    sizes = op.dst_sizes
    _check_access(op, "", op.dst_offsets, sizes, op.dst_strides, report)
    _check_padding(op, ((op.dst, sizes),), report)
    _check_refeed(op, report)
    channel = _channel(op, report)
    if channel is not None:
        _check_heap(op, channel, report)
        _check_indices(op, channel, _broadcast_shape(channel) or channel.size, report)
        if _is_plain(channel.channel_type) == "mmio" and space_of(op.dst.type, report) not in (L1, None):
            report.error(op, f"on an mmio channel must get into L1 (memory space 2), found {op.dst.type}")


@rule("air.channel")
def channel_type(op: ChannelOp, report: Report) -> None:
    """The type is one of CHANNEL_TYPES, with or without `npu_`."""
    if _is_plain(op.channel_type) not in CHANNEL_TYPES:
        report.error(op, f'unsupported channel_type "{op.channel_type}"; allowed: {", ".join(CHANNEL_TYPES)}')


@rule("air.channel")
def channel_shape(op: ChannelOp, report: Report) -> None:
    """A broadcast shape has the bundle's rank, and differs from it only where the bundle has size 1 (as in NumPy)."""
    if any(size < 1 for size in op.size):
        report.error(op, f"expects positive bundle sizes, found {op.size}")
    shape = _broadcast_shape(op)
    if shape is None:
        return
    if len(shape) != len(op.size):
        report.error(op, f"bundle rank should match broadcast_shape rank: size {op.size}, broadcast_shape {shape}")
        return
    for i, (size, wide) in enumerate(zip(op.size, shape, strict=True)):
        if size not in (1, wide):
            report.error(op, f"dimension {i} of size {size} cannot be broadcast to {wide}; a broadcast dimension has size 1")


@rule("air.channel")
def channel_packets(op: ChannelOp, report: Report) -> None:
    """Packet ids are 5-bit, each used once, and on packet channels only; a refeed count is positive."""
    attributes = op.attributes
    if "packet_ids" in attributes:
        attribute = attributes["packet_ids"]
        ids = _integers(attribute)
        whole = isinstance(attribute, ir.ArrayAttr) and all(isinstance(a, ir.IntegerAttr) for a in attribute)
        if not whole:
            report.error(op, f"packet_ids must be an array of integers, found {attribute}")
        elif _is_plain(op.channel_type) != "dma_packet":
            report.error(op, f'packet_ids are for channel_type "dma_packet" only, found "{op.channel_type}"')
        elif len(set(ids)) != len(ids):
            report.error(op, f"packet_ids must be unique, found {ids}")
        elif any(not 0 <= i <= 31 for i in ids):
            report.error(op, f"packet_ids must be in [0, 31] (5 bits), found {ids}")
    _check_refeed(op, report)


@rule("air.channel.put", "air.channel.get")
def channel_indices(op: ChannelGetOp | ChannelPutOp, report: Report) -> None:
    """Channel indices depend on space, not on time: on constants, ids, variables of parallel loops, and values computed from
    these. This is a rule of August 2026: in March's assembly, the variable of an scf.for is allowed.
    """
    if printed_state() != AUGUST:
        return
    for i, index in enumerate(op.indices):
        if isinstance(index, ir.BlockArgument) and index.arg_number == 0 and index.owner.owner.name == "scf.for":
            report.error(
                op,
                f"channel index {i} is an scf.for induction variable; use an scf.parallel or an id of the herd, or unroll it",
            )


def _is_plain(channel_type: str) -> str:
    return channel_type.removeprefix("npu_")


def _broadcast_shape(channel: ChannelOp) -> list[int] | None:
    attributes = channel.attributes
    return _integers(attributes["broadcast_shape"]) if "broadcast_shape" in attributes else None


def _passed(value: ir.Value) -> Any:
    """The value outside of hierarchies and executes that `value` represents inside."""
    while (outer := outer_operand(value)) is not None:
        value = outer
    return value


def _integers(attribute: ir.Attribute) -> list[int]:
    if isinstance(attribute, ir.ArrayAttr):
        return [a.value for a in attribute if isinstance(a, ir.IntegerAttr)]
    return list(attribute) if isinstance(attribute, ir.DenseI64ArrayAttr | ir.DenseI32ArrayAttr) else []


def _rank(memref: ir.Value) -> int | None:
    return memref.type.rank if isinstance(memref.type, ir.MemRefType) else None


def _check_access(
    op: ir.OpView, side: str, offsets: list[ir.Value], sizes: list[ir.Value], strides: list[ir.Value], report: Report
) -> None:
    if len(sizes) != len(strides):
        report.error(op, f"expects {side}sizes and {side}strides of the same length, found {len(sizes)} and {len(strides)}")
    elif sizes and len(offsets) > len(sizes):
        report.error(op, f"expects at most as many {side}offsets as {side}sizes, found {len(offsets)} and {len(sizes)}")


def _check_padding(op: AnyOp, sides: tuple[tuple[Any, Any], ...], report: Report) -> None:
    """Checks the padding of `op` against its sides, a memref and its sizes each."""
    names = [name for name in ("pad_before", "pad_after") if name in op.attributes]
    if len(names) == 1:
        report.error(op, f"expects pad_before and pad_after together, found {names[0]} only")
    for name in names:
        pads = getattr(op, name)
        ranks = {len(sizes) or _rank(memref) for memref, sizes in sides}
        if None not in ranks and len(pads) not in ranks:
            report.error(
                op,
                f"{name} has {counted(len(pads), 'entry')}, expects one for each of the {max(ranks)} dimensions",  # type: ignore[type-var]
            )
        elif any(not 0 <= pad <= _MAX_PAD for pad in pads):
            report.error(op, f"{name} values must be in [0, {_MAX_PAD}], found {pads}")


def _channel(op: ChannelGetOp | ChannelPutOp, report: Report) -> ChannelOp | None:
    """The channel that `op` names, or None, which the real tools accept here."""
    table = report.memo.get("channels")
    if table is None:
        top = op.operation
        while top.parent is not None:
            top = top.parent
        table = report.memo["channels"] = _channels(walk_named(top, "air.channel"))
    return table.get(op.chan_name)


def _channels(ops: Sequence[AnyOp]) -> dict[str, ChannelOp | None]:
    """The channels of `ops` by name; a name that several scopes define is ambiguous here and left out."""
    table: dict[str, ChannelOp | None] = {}
    for op in ops:
        if "sym_name" in op.attributes and "size" in op.attributes:
            channel = ChannelOp(op)
            table[channel.sym_name] = None if channel.sym_name in table else channel
    return table


def _check_refeed(op: AnyOp, report: Report) -> None:
    attributes = op.attributes
    if _REFEED in attributes:
        count = attributes[_REFEED]
        if not isinstance(count, ir.IntegerAttr) or not 1 <= count.value <= _INT32_MAX:
            report.error(op, f"{_REFEED} must be in [1, {_INT32_MAX}], found {count}")


def _check_heap(op: AnyOp, channel: ChannelOp, report: Report) -> None:
    if channel.channel_type == "gpu_symmetric_heap" and enclosing(op, "air.rank") is None:
        report.error(op, "on a gpu_symmetric_heap channel must be inside air.rank", (channel, "channel"))


def _check_indices(op: ChannelGetOp | ChannelPutOp, channel: ChannelOp, shape: list[int], report: Report) -> None:
    indices = op.indices
    if not indices:
        return
    if len(indices) != len(shape):
        report.warning(
            op, f"has {counted(len(indices), 'index')}, but @{channel.sym_name} has rank {len(shape)}", (channel, "channel")
        )
        return
    for i, (index, size) in enumerate(zip(indices, shape, strict=True)):
        value = constant_of(index)
        if value is not None and not 0 <= value < size:
            report.warning(op, f"index #{i} is {value}, but @{channel.sym_name} has {size} there", (channel, "channel"))
