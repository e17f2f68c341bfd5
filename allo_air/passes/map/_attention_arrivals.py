"""The data that each core of an attention kernel receives: its queries once, then keys and values block by block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import arith, ir, linalg, scf
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes.map._attention import Attention
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_slices import L1, Index, alloc, copied, inserted, kind, packed, part, total
from allo_air.passes.map._elements import Element


@dataclass(frozen=True)
class Operand:
    """A tensor in L2, and for each of its dimensions the axis of the group. The dimensions of queries are (parts,) columns and
    the rest.
    """

    value: Any
    axes: tuple[int, ...]

    def place(self, axis: int | None) -> int:
        return self.axes.index(axis) if axis in self.axes else -1


class Arrivals:
    """The parts of `operands` that core (x, y) of the herd receives. `sizes` are the sizes of a launch iteration's tensors."""

    def __init__(
        self,
        group: Attention,
        plan: AttentionPlan,
        sizes: Mapping[int, int],
        operands: dict[int, Operand],
        position: list[ir.Value],
    ):
        self.group, self.plan, self.sizes = group, plan, sizes
        self.operands = operands
        self.x, self.y = position
        loads = ((group.query, group.q), (group.key, group.k), (group.value, group.k))
        self.places = {id(load): max(operands[id(load)].place(axis), 0) for load, axis in loads}

    def of_part(self, load: Element, tile: Any, number: Index) -> Any:
        """The elements of part `number` in the core's tile of `load`, which follows its queries."""
        plan = self.plan
        if plan.parts == 1:
            return tile
        return part(tile, *slice_of(tile, self.operands[id(load)].place(self.group.q), plan.parts, number))

    def by_keys(self) -> list[Element]:
        loads = [self.group.key, self.group.value, *self.group.masks]
        return [load for load in loads if self.group.q not in self.operands[id(load)].axes or self.group.q is None]

    def of_core(self, axes: list[int], place: int, number: Index, row: Index, rows: int) -> tuple[list[Index], list[int]]:
        """Offsets and sizes of `rows` rows, from `row` on, in part `number` of the queries of this core's column."""
        offsets: list[Index] = [0] * len(axes)
        sizes = [self.sizes[a] for a in axes]
        if place >= 0:
            front = [self.x] if self.plan.parts == 1 else [number, self.x]
            offsets[place : place + 1] = [*front, row]
            sizes[place : place + 1] = [*(1 for _ in front), rows]
        return offsets, sizes

    def own_queries(self) -> dict[int, Any]:
        """The tiles in L1 of tensors that depend on the query. Each core receives the tiles of its whole column and keeps its
        own.
        """
        group = self.group
        loads = [load for load in (group.query, *group.masks) if id(load) in self.operands]
        loads = [
            load for load in loads if load is group.query or (group.q is not None and group.q in self.operands[id(load)].axes)
        ]
        return {id(load): self._query_tile(load) for load in loads}

    def _tile(self, load: Element) -> tuple[int, int] | None:
        """The micro-tile layout of the matrix that `load` reads from; None if it is stored in rows."""
        if self.plan.micro is None or id(load) not in self.places:
            return None
        rows, deep, columns = self.plan.micro
        tiles = {id(self.group.query): (columns, deep), id(self.group.key): (rows, deep), id(self.group.value): (deep, rows)}
        high, wide = tiles[id(load)]
        return (high, wide) if self.places[id(load)] == 0 else (wide, high)

    def _in_l1(self, load: Element, value: ir.Value) -> Any:
        tile = self._tile(load)
        return copied(value, L1) if tile is None else packed(value, tile)

    def _query_tile(self, load: Element) -> Any:
        """The tile of `load` for the core's queries, in L1. The core receives the tiles of all cores of its column."""
        plan, tile = self.plan, self._tile(load)
        unit = 1 if tile is None else tile[self.places[id(load)]]
        if self.group.q is None or plan.rows * plan.m == plan.chunk:
            return self._in_l1(load, self._chunk(load, 0, 0, plan.m))
        shape = self._shape(load, plan.m)
        if tile is not None:
            shape = [*(n // size for n, size in zip(shape, tile, strict=True)), *tile]
        own_tile = alloc(kind(shape, load.type), L1)
        if plan.parts == 1:
            return self._own_part(load, unit, 0, own_tile)
        loop = scf.ForOp(*(index_constant(n) for n in (0, plan.parts, 1)), iter_args=[own_tile])
        with ir.InsertionPoint(loop.body):
            scf.yield_([self._own_part(load, unit, loop.induction_variable, loop.inner_iter_args[0])])
        return loop.results[0]

    def _own_part(self, load: Element, unit: int, number: Index, block: ir.Value) -> Any:
        """`block` with the core's own queries of part `number` inserted."""
        plan = self.plan
        h = plan.queries_per_part // unit
        bounds = [index_constant(n // unit) for n in (0, plan.rows * plan.queries_per_part, plan.chunk)]
        loop = scf.ForOp(*bounds, iter_args=[block])
        with ir.InsertionPoint(loop.body):
            row, block = loop.induction_variable, loop.inner_iter_args[0]
            chunk = self._in_l1(load, self._chunk(load, number, total((row, unit)), plan.chunk))
            if plan.rows == 1:
                scf.yield_([self._keep(load, chunk, block, total((row, 1), (number, h)))])
                return loop.results[0]
            above = arith.cmpi(arith.CmpIPredicate.sge, row, total((self.y, h)))
            below = arith.cmpi(arith.CmpIPredicate.slt, row, total((self.y, h), plus=h))
            chunk_of_core = total((row, 1), (self.y, -h), (number, h))
            scf.yield_(
                select_or_branch(arith.andi(above, below), lambda: [self._keep(load, chunk, block, chunk_of_core)], [block])
            )
        return loop.results[0]

    def _shape(self, load: Element, rows: int) -> list[int]:
        return [rows if a == self.group.q else self.sizes[a] for a in self.operands[id(load)].axes]

    def _chunk(self, load: Element, number: Index, row: Index, rows: int) -> Any:
        operand = self.operands[id(load)]
        place = operand.place(self.group.q)
        offsets, sizes = self.of_core(list(operand.axes), place, number, row, rows)
        return part(operand.value, offsets, sizes, self._shape(load, rows))

    def _keep(self, load: Element, chunk: ir.Value, block: ir.Value, row: Index) -> Any:
        """`block` with `chunk` inserted from `row` on."""
        place = self.operands[id(load)].place(self.group.q)
        sizes = list(chunk.type.shape)
        offsets: list[Index] = [0] * len(sizes)
        offsets[place] = row
        slot = part(block, offsets, sizes, sizes)
        return inserted(linalg.copy(chunk, outs=[slot]), block, offsets, sizes)

    def step_of(self, load: Element, key: ir.Value) -> Any:
        """The part of `load` for the block of keys that starts at key `key`, in L1."""
        operand = self.operands[id(load)]
        place = operand.place(self.group.k)
        sizes = [self.sizes[a] for a in operand.axes]
        offsets: list[Index] = [0] * len(sizes)
        if place >= 0:
            offsets[place], sizes[place] = key, self.plan.keys
        return self._in_l1(load, part(operand.value, offsets, sizes, sizes))

    def tiles(
        self, own: dict[int, ir.Value], steps: dict[int, ir.Value], key: ir.Value, number: Index
    ) -> dict[int, tuple[Any, tuple[int, ...]]]:
        """The tiles of the masks that are known for part `number`, and for each whether it depends on query and key."""
        tiles = {}
        for mask in self.group.masks:
            operand = self.operands[id(mask)]
            follows = tuple(0 if a == self.group.q else 1 for a in operand.axes)
            tile = steps.get(id(mask))
            if tile is None and id(mask) not in own:
                continue
            if tile is None:
                tile = self.of_part(mask, own[id(mask)], number)
                sizes = list(tile.type.shape)
                offsets: list[Index] = [0] * len(sizes)
                place = operand.place(self.group.k)
                if place >= 0:
                    offsets[place], sizes[place] = key, self.plan.keys
                    tile = part(tile, offsets, sizes, sizes)
            tiles[id(mask)] = tile, follows
        return tiles


def slice_of(value: ir.Value, place: int, parts: int, number: Index) -> tuple[list[Index], list[int], list[int]]:
    """Offsets, sizes and shape of part `number` of `value`, whose dimension `place` contains all `parts` consecutively."""
    sizes = list(value.type.shape)
    sizes[place] //= parts
    offsets: list[Index] = [0] * len(sizes)
    offsets[place] = total((number, sizes[place]))
    return offsets, sizes, sizes
