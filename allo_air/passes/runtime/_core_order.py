"""Finds when the cores of a device access the data of each shim channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import parents, walk_named
from allo_air.dialects._enums import BUNDLE
from allo_air.passes.runtime._schedule import S2MM

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.mlir import AnyOp, ir

Spans = Mapping[Any, tuple[int, int]]
"""For each core, the numbers of the first and the last operation of its body that synchronize with a channel's data."""

_Port = tuple[Any, int, int]
"""A DMA channel: its tile, direction and number."""
_DMAS = ("aie.mem", "aie.memtile_dma")
_PACKET_ENDS = ("aie.packet_source", "aie.packet_dest")
_MM2S = 1 - S2MM


def spans_of(device: DeviceOp) -> dict[str, Spans]:
    """The spans for each shim DMA allocation of `device`: those of the cores that it serves, directly or through memtiles."""
    streams, locks, cores = _streams(device), _locks(device), _cores(device)
    users: dict[Any, list[_Port]] = {}
    for port, tile_locks in locks.items():
        for lock in tile_locks:
            users.setdefault(lock, []).append(port)
    results: dict[str, Spans] = {}
    for op in device.block.operations:
        if op.operation.name != "aie.shim_dma_allocation":
            continue
        spans: dict[Any, tuple[int, int]] = {}
        seen, todo = set[_Port](), [(op.tile, op.channel_dir, op.channel_index)]
        while todo:
            port = todo.pop()
            if port in seen:
                continue
            seen.add(port)
            todo += streams.get(port, [])
            used = [n for lock in locks.get(port, ()) for n in cores.get(port[0], {}).get(lock, ())]
            if used:
                first, last = spans.get(port[0], (used[0], used[0]))
                spans[port[0]] = min(first, *used), max(last, *used)
            elif port[0] not in cores:
                todo += [user for lock in locks.get(port, ()) for user in users[lock]]
        results[op.sym_name] = spans
    return results


def is_before(earlier: Iterable[Spans], later: Iterable[Spans]) -> bool:
    """Whether each core that uses channels of both has finished those of `earlier` before it starts those of `later`. False
    if the cores of a channel are unknown.
    """
    ones, rest = list(earlier), list(later)
    pairs = [
        (first_order[core], second_order[core])
        for first_order in ones
        for second_order in rest
        for core in first_order
        if core in second_order
    ]
    return all((*ones, *rest)) and bool(pairs) and all(last < first for (_, last), (first, _) in pairs)


def _streams(device: DeviceOp) -> dict[_Port, list[_Port]]:
    """The ports at the other ends of the streams of each port."""
    ports: dict[_Port, list[_Port]] = {}

    def join(source: tuple[ir.Value, int, int], dest: tuple[ir.Value, int, int]) -> None:
        if BUNDLE.keyword(source[1]) == BUNDLE.keyword(dest[1]) == "DMA":
            ends = (source[0], _MM2S, source[2]), (dest[0], S2MM, dest[2])
            for here, other_end in (ends, ends[::-1]):
                ports.setdefault(here, []).append(other_end)

    for op in device.block.operations:
        if op.operation.name == "aie.flow":
            join((op.source, op.source_bundle, op.source_channel), (op.dest, op.dest_bundle, op.dest_channel))
        elif op.operation.name == "aie.packet_flow":
            port_ops = list(op.ports.blocks[0].operations)
            ends = [[(e.tile, e.bundle, e.channel) for e in port_ops if e.operation.name == n] for n in _PACKET_ENDS]
            for source in ends[0]:
                for dest in ends[1]:
                    join(source, dest)
    return ports


def _locks(device: AnyOp) -> dict[_Port, set[Any]]:
    """The locks that the buffer descriptors of each channel use."""
    locks: dict[_Port, set[Any]] = {}
    for dma in walk_named(device, *_DMAS):
        for start in walk_named(dma, "aie.dma_start"):
            port = dma.operands[0], start.opview.channel_dir, start.opview.channel_index
            locks[port] = {use.operands[0] for block in _chain(start) for use in block.operations if _is_lock(use)}
    return locks


def _chain(start: AnyOp) -> Iterator[Any]:
    """The blocks of a channel's BDs."""
    todo, seen = [start.successors[0]], list[Any]()
    while todo:
        block = todo.pop()
        if block in seen:
            continue
        seen.append(block)
        yield block
        last = block.operations[-1].operation
        todo += list(last.successors) if last.name == "aie.next_bd" else []


def _is_lock(op: AnyOp) -> bool:
    return bool(op.operation.name == "aie.use_lock")


def _cores(device: DeviceOp) -> dict[Any, dict[Any, list[int]]]:
    """The uses of each lock by each core: the numbers of the operations of its body that use the lock or contain such a use."""
    cores: dict[Any, dict[Any, list[int]]] = {}
    for core in walk_named(device, "aie.core"):
        numbers = {op.operation: n for n, op in enumerate(o for b in core.regions[0].blocks for o in b.operations)}
        used = cores.setdefault(core.operands[0], {})
        for use in walk_named(core, "aie.use_lock"):
            outer = next(p for p in (use, *parents(use)) if p in numbers)
            used.setdefault(use.operands[0], []).append(numbers[outer])
    return cores
