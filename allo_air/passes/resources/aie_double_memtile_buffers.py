"""aie-double-memtile-buffers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from allo_air.arch.limits import BUFFER_ALIGNMENT
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.device import Tile
from allo_air.dialects import aie
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.mlir import ir
from allo_air.passes._analysis.objectfifos import bits
from allo_air.passes._ir.names import Names
from allo_air.passes.resources._chains import chains
from allo_air.passes.resources._rings import Ring, Step, rings


@dataclass(frozen=True)
class AieDoubleMemtileBuffers(Pass):
    """Duplicates the buffers that memtile DMAs forward, so that one is filled while the other is read.

    Channels that share buffers alternate between both. The channels must run forever, each step once before any runs again, and
    the memtile must have the memory, the locks and the descriptors of the channels' parity. Smaller buffers are duplicated
    first. Channels that already alternate stay unchanged; so does everything if `buffers` is 1.

    Before:

          %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
        ^bb1:
          aie.use_lock(%free, AcquireGreaterEqual, 1)
          aie.dma_bd(%buf : memref<64xi32, 1>, 0, 64)
          aie.use_lock(%full, Release, 1)
          aie.next_bd ^bb1

    After:

        ^bb1:
          aie.use_lock(%free, AcquireGreaterEqual, 1)
          aie.dma_bd(%buf : memref<64xi32, 1>, 0, 64)
          aie.use_lock(%full, Release, 1)
          aie.next_bd ^bb2
        ^bb2:
          aie.use_lock(%free_2, AcquireGreaterEqual, 1)
          aie.dma_bd(%buf_2 : memref<64xi32, 1>, 0, 64)
          aie.use_lock(%full_2, Release, 1)
          aie.next_bd ^bb1
    """

    name = "aie-double-memtile-buffers"
    anchor = "aie.device"

    buffers: Literal[1, 2] = 2
    """Copies of each buffer in a memtile; 1 changes nothing."""

    def run(self, op: ir.Operation, /) -> None:
        programs = declarations(op, "aie.memtile_dma")
        if not programs or self.buffers == 1:
            return
        names, memtiles = Names(op), _Held(op)
        for program in programs:
            tile = device_of(op).tile(*place_of(program, program.tile))
            result = chains(program)
            halves = Counter[int]()
            for chain in result:
                halves[chain.channel % 2] += len(chain.bds)
            for ring in sorted(rings(result), key=lambda r: _bytes(r.buffers)):
                more = Counter[int]()
                for chain, steps in ring.chains:
                    more[chain.channel % 2] += len(steps)
                if max((halves + more).values()) <= tile.bds // 2 and memtiles.has_room(program.tile, tile, ring):
                    halves += more
                    _double(ring, names, memtiles)


class _Held:
    """The buffers and locks of a device by tile."""

    def __init__(self, device: ir.Operation) -> None:
        self.buffers: dict[ir.Value, list[ir.Value]] = {}
        self.locks: dict[ir.Value, list[ir.Value]] = {}
        for view in declarations(device, "aie.buffer", "aie.lock"):
            by_tile = self.buffers if view.operation.name == "aie.buffer" else self.locks
            by_tile.setdefault(view.tile, []).append(view.operation.results[0])

    def has_room(self, place: ir.Value, tile: Tile, ring: Ring) -> bool:
        """Whether a tile has room for a second copy of a ring's buffers, none of which has an address, and of its locks."""
        buffers = self.buffers.get(place, [])
        return (
            all(b.owner.opview.address is None for b in buffers)
            and _bytes([*buffers, *ring.buffers]) <= tile.memory
            and len(self.locks.get(place, [])) + len(ring.locks) <= tile.locks
        )

    def once_more(self, value: ir.Value, names: Names) -> ir.Value:
        """A copy of a buffer or a lock, declared after it."""
        op = value.owner.operation
        result: Any = op.clone(ip=ir.InsertionPoint(op)).operation
        result.move_after(op)
        if "sym_name" in result.attributes:
            result.attributes["sym_name"] = ir.StringAttr.get(names.fresh(sym_name_of(result)))
        place = result.opview.tile
        if op.name == "aie.lock" and result.opview.lockID is not None:
            used_ids = {lock.owner.opview.lockID for lock in self.locks[place]}
            result.opview.lockID = next(n for n in range(len(used_ids) + 1) if n not in used_ids)
        (self.buffers if op.name == "aie.buffer" else self.locks)[place].append(result.results[0])
        return result.results[0]


def _bytes(buffers: Iterable[ir.Value]) -> int:
    """The bytes of `buffers`, each of which begins at a multiple of BUFFER_ALIGNMENT."""
    return sum(-(-bits(b.type) // (8 * BUFFER_ALIGNMENT)) * BUFFER_ALIGNMENT for b in buffers)


def _double(ring: Ring, names: Names, memtiles: _Held) -> None:
    mapping = {value: memtiles.once_more(value, names) for value in (*ring.buffers, *ring.locks)}
    for _, steps in ring.chains:
        _once_more(steps, mapping)


def _once_more(steps: tuple[Step, ...], mapping: dict[ir.Value, ir.Value]) -> None:
    """Makes a channel execute its steps a second time, with the other buffers and locks, before it restarts."""
    blocks = [s.block for s in steps]
    results: list[ir.Block] = []
    for _ in steps:
        results.append((results or blocks)[-1].create_after())
    for number, (step, block) in enumerate(zip(steps, results, strict=True)):
        *ops, last = [o.operation for o in step.block.operations]
        for op in ops:
            clone = op.clone(ip=ir.InsertionPoint(block))
            for operand_number, operand in enumerate(clone.operation.operands):
                if operand in mapping:
                    clone.operation.operands[operand_number] = mapping[operand]
        following = (results[1:] + blocks[:1])[number]
        aie.NextBDOp(dest=following, loc=last.location, ip=ir.InsertionPoint(block))
    *_, last = [o.operation for o in blocks[-1].operations]
    aie.NextBDOp(dest=results[0], loc=last.location, ip=ir.InsertionPoint(last))
    last.erase()
