"""Reports attributes that change no register, or that another attribute overrules."""

from __future__ import annotations

import re
from math import prod

from allo_air.arch.limits import MAX_REPEAT
from allo_air.dialects._places import size_stride_pairs
from allo_air.dialects.aie import BufferOp, DMABDOp, DMAStartOp, PacketFlowOp
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._tiles import DeviceUse, is_endless

_MM2S = 1


def check_without_effect(use: DeviceUse, findings: Findings) -> None:
    """Reports attributes of BDs, channel starts and buffers that have no effect."""
    flows = {PacketFlowOp(flow).ID for flow in use.called(PacketFlowOp.OPERATION_NAME)}
    for tile in use:
        kind = use.device.kind(*tile.place)
        tile_name = use.name(tile.place)
        for start, bds in tile.chains:
            sends = DMAStartOp(start).channel_dir == _MM2S
            count = DMAStartOp(start).repeat_count
            if 0 < count < MAX_REPEAT and is_endless(start) and not _repeats_object(bds):
                _warn(
                    findings, start, f"{tile_name}: repeat_count = {count} has no effect: its chain of BDs has no end; drop it"
                )
            for bd in bds:
                for message in _of_bd(DMABDOp(bd), kind, flows, sends=sends):
                    _warn(findings, bd, f"{tile_name}: {message}")
        for buffer in map(BufferOp, tile.buffers):
            if (info := _of_buffer(use, tile.place, buffer)) is not None:
                _warn(findings, buffer.operation, f"{tile_name}: {info}")


def _repeats_object(bds: list[AnyOp]) -> bool:
    """Whether the BDs move the only object of an objectFifo, recognized by its name; `repeat_count` then says how often."""
    owners = {DMABDOp(bd).buffer.owner for bd in bds}
    return len(owners) == 1 and all(re.search(r"_buff_\d+$", _named(owner)) for owner in owners)


def _named(owner: AnyOp) -> str:
    name = owner.attributes.get("sym_name") if isinstance(owner, ir.Operation | ir.OpView) else None
    return "" if name is None else name.value


def _warn(findings: Findings, op: AnyOp, message: str) -> None:
    findings.warning(op, message, code="attribute.ignored")


def _of_bd(bd: DMABDOp, kind: str, flows: set[int], *, sends: bool) -> list[str]:
    """Messages for attributes of a BD without effect. A receiving BD may have a packet id, since mlir-air writes the id of
    its packets there.
    """
    results = []
    if bd.pad_value and not bd.pad_dimensions:
        results.append(f"pad_value = {bd.pad_value} has no effect without padding; give pad dimensions, or drop it")
    if bd.packet is not None and not sends and not {n for _, n in size_stride_pairs(bd.packet)} & flows:
        results.append("a packet header has no effect on a BD that receives; give it to the sender, or drop it")
    sizes = (
        [size for size, _ in size_stride_pairs(bd.dimensions)] if bd.dimensions is not None and not bd.pad_dimensions else []
    )
    if sizes and bd.len is not None and min(sizes) > 0 and bd.len % prod(sizes[1:]) == 0 and bd.len != prod(sizes):
        walked = (
            f"the outermost size, {sizes[0]}, has no effect: len = {bd.len} makes "
            f"{counted(bd.len // prod(sizes[1:]), 'repetition')} of it"
        )
        results.append(f"{walked}; let sizes and len agree")
    if bd.burst_length and kind != "shim_noc":
        results.append("burst_length has no effect: only shims read and write external memory; drop it")
    return results


def _of_buffer(use: DeviceUse, place: tuple[int, int], buffer: BufferOp) -> str | None:
    address, bank = buffer.address, buffer.mem_bank
    shape = use.device.tile(*place)
    if address is None or bank is None or not shape.banks:
        return None
    actual_bank = address // (shape.memory // shape.banks)
    return (
        None
        if actual_bank == bank
        else f"mem_bank = {bank} has no effect: its address is in bank {actual_bank}; drop one of the two"
    )
