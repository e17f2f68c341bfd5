"""Replaces channels between neighbouring cores by shared memory, if a core has too few DMA channels.

The putting core copies its block to a buffer that both reach, and the getting core copies it from there to its own; a pair of
locks takes turns between them. A copy costs both cores a cycle for each vector, and no DMA channel. It accesses the core's
own buffer like the DMA: by the offsets, sizes and strides of the put or get.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd, prod

from allo_air.access.dims import Dims, volume
from allo_air.core.constants import constant_of, index_constant
from allo_air.device import Device
from allo_air.dialects import aie
from allo_air.mlir import arith, ir
from allo_air.passes.to_aie._bundles import Key
from allo_air.passes.to_aie._cores import MARK, CoreClone
from allo_air.passes.to_aie._design import Buffer, Place, Transfer
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._vectors import each_vector, flat

_VECTOR_BITS = 256
_MANY = 4
"""With this many shared channels at one core (two locks each), further ones prefer the other core's memory."""


@dataclass(frozen=True)
class SharedMemoryChannel:
    """A channel from the core at `source` to the one at `dest`, through the memory of the tile at `home`."""

    key: Key
    source: Place
    dest: Place
    home: Place


def choose(
    clones: Mapping[Place, CoreClone], other_ends: set[str], device: Device, free: Mapping[Place, int]
) -> list[SharedMemoryChannel]:
    """The channels to share so that each core has enough DMA channels, as far as that is possible.

    A channel can be shared if one core puts and one gets, no memtile or host takes part (`other_ends`), both reach one
    memory, and all blocks have one size. `free` bytes are left in a core's memory: those with room for a block come first.
    """
    ends: dict[Key, tuple[set[Place], set[Place]]] = {}
    for place, clone in clones.items():
        for transfer in clone.transfers:
            ends.setdefault(transfer.key, (set(), set()))[0 if transfer.put else 1].add(place)
    needs = {
        (place, is_put): sum(place in e[0 if is_put else 1] for e in ends.values())
        for place in clones
        for is_put in (True, False)
    }
    chosen: dict[Key, SharedMemoryChannel] = {}
    free_bytes = dict(free)
    for roomy, (key, (sources, dests)) in itertools.product((True, False), ends.items()):
        if key in chosen or len(sources) != 1 or len(dests) != 1 or key[0] in other_ends or sources == dests:
            continue
        [source], [dest] = sources, dests
        room = device.tile(*source).channels
        if needs[source, True] <= room[True] and needs[dest, False] <= room[False]:
            continue
        size = max(t.walk.bytes for t in clones[source].transfers if t.key == key)
        homes = [p for p in (dest, source) if device.sees_memory(source, p) and device.sees_memory(dest, p)]
        homes = sorted(homes, key=lambda p: sum(c.home == p for c in chosen.values()) >= _MANY)
        home = next((p for p in homes if free_bytes[p] >= size or not roomy), None)
        if home is None or not _equal_blocks(key, clones[source], clones[dest]):
            continue
        chosen[key] = SharedMemoryChannel(key, source, dest, home)
        free_bytes[home] -= size
        needs[source, True] -= 1
        needs[dest, False] -= 1
    return list(chosen.values())


def _equal_blocks(key: Key, source: CoreClone, dest: CoreClone) -> bool:
    """Whether both ends move the same blocks at known positions: all of one size, or one after another outside of loops."""
    ends, types, looped = [], set(), False
    for clone in (source, dest):
        numbers = {b.number: b for b in clone.buffers.values()}
        own_transfers = [t for t in clone.transfers if t.key == key]
        for transfer in own_transfers:
            op = transfer.op
            lists = (
                (op.src_offsets, op.src_sizes, op.src_strides)
                if transfer.put
                else (op.dst_offsets, op.dst_sizes, op.dst_strides)
            )
            if transfer.walk.pads or any(constant_of(n) is None for each in lists for n in each):
                return False
            types.add(str(numbers[transfer.buffer].type.element_type))
            looped |= op.operation.parent.name != "air.herd"
        ends.append([t.walk.length for t in own_transfers])
    same = len({length for end in ends for length in end}) == 1 or (ends[0] == ends[1] and not looped)
    return same and len(types) == 1


def kind_of(key: Key, source: CoreClone) -> ir.MemRefType:
    """The type of the shared buffer: the type of the largest block, or a row of as many elements."""
    largest = max((t for t in source.transfers if t.key == key), key=lambda t: t.walk.length)
    kind = next(b.type for b in source.buffers.values() if b.number == largest.buffer)
    if largest.walk.length == prod(kind.shape):
        return kind
    return ir.MemRefType.get([largest.walk.length], kind.element_type, memory_space=kind.memory_space)


def lower(
    shared: SharedMemoryChannel, clones: Mapping[Place, CoreClone], builder: DeviceBuilder, buffer: Buffer, first_lock: int
) -> None:
    """Adds the copies and locks of a shared channel to both cores' programs; uses lock `first_lock` and the one below it."""
    empty, full = first_lock, first_lock - 1
    tile = builder.tiles[shared.home]
    value = builder.buffer(buffer.number, buffer.type, tile, builder.location)
    for number, init in ((empty, 1), (full, 0)):
        op = aie.LockOp(tile=tile, lockID=number, init=init, loc=builder.location, ip=builder.ip("locks"))
        builder.locks[shared.home, number] = op.lock
    for place, is_put in ((shared.source, True), (shared.dest, False)):
        clone = clones[place]
        clone.buffers[value] = buffer
        values = {b.number: v for v, b in clone.buffers.items()}
        for mark in _marks(clone, shared.key, is_put):
            transfer = clone.transfers[mark.attributes[MARK].value]
            ip = ir.InsertionPoint(mark)
            builder.use_lock(shared.home, empty if is_put else full, 1, release=False, ip=ip, location=mark.location)
            _copy(values[transfer.buffer], value, transfer, mark.location, ip)
            builder.use_lock(shared.home, full if is_put else empty, 1, release=True, ip=ip, location=mark.location)
            mark.erase()


def _marks(clone: CoreClone, key: Key, is_put: bool) -> list[ir.Operation]:
    """The former places of a channel's puts or gets in a core's program."""
    ops: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if MARK in op.attributes:
            transfer: Transfer = clone.transfers[op.attributes[MARK].value]
            if transfer.key == key and transfer.put is is_put:
                ops.append(op)
        return ir.WalkResult.ADVANCE

    clone.block.owner.walk(visit, ir.WalkOrder.PRE_ORDER)
    return ops


def _copy(private: ir.Value, shared: ir.Value, transfer: Transfer, location: ir.Location, ip: ir.InsertionPoint) -> None:
    """Loops that copy a block between the core's own buffer and the shared one, by vectors within rows."""
    element, walk = private.type.element_type, transfer.walk.plain
    dims, step = walk.dims, walk.dims[-1][1]
    rows = [m.type.shape[-1] if m.type.rank else 1 for m in (private, shared)]
    aligned = gcd(_VECTOR_BITS // element.width, walk.offset, dims[-1][0], *(stride for _, stride in dims[:-1]), *rows)
    lanes = aligned if step == 1 else 1
    load, store = ("vector.load", "vector.store") if lanes > 1 else ("memref.load", "memref.store")
    kind = ir.VectorType.get([lanes], element) if lanes > 1 else element

    def move(own: ir.Value, peer: ir.Value, inner: ir.InsertionPoint) -> None:
        (source, index), (dest, to) = ((private, own), (shared, peer)) if transfer.put else ((shared, peer), (private, own))
        loaded = ir.Operation.create(load, [kind], [source, index], ip=inner).results[0]
        ir.Operation.create(store, [], [loaded, dest, to], ip=inner)

    with location:
        private, shared = flat(private, ip), flat(shared, ip)
        _walk(dims, lanes, index_constant(walk.offset, ip=ip), index_constant(0, ip=ip), ip, move)


def _walk(dims: Dims, lanes: int, own: ir.Value, peer: ir.Value, ip: ir.InsertionPoint, move: Callable[..., None]) -> None:
    """Loops over `dims`: index `own` follows their strides, `peer` is contiguous."""
    (size, stride), inner = dims[0], dims[1:]

    def body(iteration: ir.Value, within: ir.InsertionPoint) -> None:
        own_offset, shared_offset = (
            _offset_by(start, iteration, step, within) for start, step in ((own, stride), (peer, volume(inner)))
        )
        if inner:
            _walk(inner, lanes, own_offset, shared_offset, within, move)
        else:
            move(own_offset, shared_offset, within)

    each_vector(size, 1 if inner else lanes, lambda _, n: index_constant(n, ip=ip), ip, body)


def _offset_by(start: ir.Value, iteration: ir.Value, step: int, ip: ir.InsertionPoint) -> ir.Value:
    """start + at * step."""
    moved = iteration if step == 1 else arith.MulIOp(iteration, index_constant(step, ip=ip), ip=ip).result
    return moved if constant_of(start) == 0 else arith.AddIOp(start, moved, ip=ip).result
