"""Channels between neighbouring cores through memory that both reach, where a core's DMA channels do not suffice.

The putting core copies its block to a buffer that both reach, and the getting core copies it from there to its own; a pair of
locks takes turns between them. A copy costs both cores a cycle for each vector, and no DMA channel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd, prod
from typing import Any

from allo_air.device import Device
from allo_air.dialects import aie
from allo_air.mlir import ir
from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._cores import MARK, CoreClone
from allo_air.passes.to_aie._design import Buffer, Place, Transfer
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._vectors import each_vector, flat

_VECTOR_BITS = 256


@dataclass(frozen=True)
class Shared:
    """A channel from the core at `source` to the one at `dest`, through the memory of the tile at `home`."""

    key: Key
    source: Place
    dest: Place
    home: Place


def choose(clones: Mapping[Place, CoreClone], other_ends: set[str], device: Device) -> list[Shared]:
    """The channels to share so that each core has enough DMA channels, as far as that is possible.

    A channel can be shared if one core puts and one gets, no memtile or host takes part (`other_ends`), both reach one
    memory, and all blocks are whole buffers of one size.
    """
    ends: dict[Key, tuple[set[Place], set[Place]]] = {}
    for place, clone in clones.items():
        for transfer in clone.transfers:
            ends.setdefault(transfer.key, (set(), set()))[0 if transfer.put else 1].add(place)
    needs = {(place, put): sum(place in e[0 if put else 1] for e in ends.values()) for place in clones for put in (True, False)}
    chosen: list[Shared] = []
    for key, (sources, dests) in ends.items():
        if len(sources) != 1 or len(dests) != 1 or key[0] in other_ends or sources == dests:
            continue
        [source], [dest] = sources, dests
        room = device.tile(*source).channels
        if needs[source, True] <= room[True] and needs[dest, False] <= room[False]:
            continue
        home = next((p for p in (dest, source) if device.sees_memory(source, p) and device.sees_memory(dest, p)), None)
        if home is None or not _whole_blocks(key, clones[source], clones[dest]):
            continue
        chosen.append(Shared(key, source, dest, home))
        needs[source, True] -= 1
        needs[dest, False] -= 1
    return chosen


def _whole_blocks(key: Key, source: CoreClone, dest: CoreClone) -> bool:
    """Whether all blocks of a channel are whole buffers of one size and type."""
    kinds = set()
    for clone in (source, dest):
        numbers = {b.number: b for b in clone.buffers.values()}
        for transfer in clone.transfers:
            if transfer.key != key:
                continue
            kind = numbers[transfer.buffer].type
            op = transfer.op
            lists = (op.src_offsets, op.src_sizes) if transfer.put else (op.dst_offsets, op.dst_sizes)
            if any(len(v) for v in lists):
                return False
            kinds.add((prod(kind.shape), str(kind.element_type)))
    return len(kinds) == 1


def lower(shared: Shared, clones: Mapping[Place, CoreClone], builder: DeviceBuilder, buffer: Buffer, first_lock: int) -> None:
    """Puts the copies and locks of a shared channel into both cores' programs; takes locks `first_lock` and the one below."""
    empty, full = first_lock, first_lock - 1
    tile = builder.tiles[shared.home]
    value = builder.buffer(buffer.number, buffer.type, tile, builder.where)
    for number, init in ((empty, 1), (full, 0)):
        made = aie.LockOp(tile=tile, lockID=number, init=init, loc=builder.where, ip=builder.ip("locks"))
        builder.locks[shared.home, number] = made.lock
    for place, put in ((shared.source, True), (shared.dest, False)):
        clone = clones[place]
        clone.buffers[value] = buffer
        values = {b.number: v for v, b in clone.buffers.items()}
        for mark in _marks(clone, shared.key, put):
            transfer = clone.transfers[mark.attributes[MARK].value]
            ip = ir.InsertionPoint(mark)
            builder.use_lock(shared.home, empty if put else full, 1, release=False, ip=ip, where=mark.location)
            mine = values[transfer.buffer]
            _copy(*((mine, value) if put else (value, mine)), mark.location, ip)
            builder.use_lock(shared.home, full if put else empty, 1, release=True, ip=ip, where=mark.location)
            mark.erase()


def _marks(clone: CoreClone, key: Key, put: bool) -> list[ir.Operation]:
    """Where the puts or gets of a channel stood in a core's program."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if MARK in op.attributes:
            transfer: Transfer = clone.transfers[op.attributes[MARK].value]
            if transfer.key == key and transfer.put is put:
                found.append(op)
        return ir.WalkResult.ADVANCE

    clone.block.owner.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


def _copy(source: ir.Value, dest: Any, where: ir.Location, ip: ir.InsertionPoint) -> None:
    """A loop that copies a whole buffer, by vectors that end with its rows."""
    element, size = source.type.element_type, prod(source.type.shape)
    rows = [m.type.shape[-1] if m.type.rank else 1 for m in (source, dest)]
    lanes = gcd(_VECTOR_BITS // element.width, *rows)
    load, store = ("vector.load", "vector.store") if lanes > 1 else ("memref.load", "memref.store")

    def constant(index: ir.IndexType, n: int) -> Any:
        return ir.Operation.create("arith.constant", [index], [], {"value": ir.IntegerAttr.get(index, n)}, ip=ip).results[0]

    def move(at: ir.Value, inner: ir.InsertionPoint) -> None:
        kind = ir.VectorType.get([lanes], element) if lanes > 1 else element
        loaded = ir.Operation.create(load, [kind], [source, at], ip=inner).results[0]
        ir.Operation.create(store, [], [loaded, dest, at], ip=inner)

    with where:
        source, dest = flat(source, ip), flat(dest, ip)
        each_vector(size, lanes, constant, ip, move)
