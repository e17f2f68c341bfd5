"""Attention, tile by tile: launches, what comes to L2 and to the cores, and the loop over the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import arith, ir, linalg, scf
from allo_air.passes._analysis.attention import Attention, axes_of
from allo_air.passes._analysis.attention_plan import AttentionPlan
from allo_air.passes._analysis.elements import Element
from allo_air.passes._ir.tensors import empty
from allo_air.passes.map._attention_block import Axes, Block
from allo_air.passes.map._attention_mac import MacStep
from allo_air.passes.map._attention_scalar import ScalarStep
from allo_air.passes.map._attention_slices import (
    L1,
    L2,
    Index,
    alloc,
    at,
    collapsed,
    copied,
    expanded,
    insert_parallel,
    inserted,
    kind,
    packed,
    part,
    total,
    unpacked,
)


@dataclass(frozen=True)
class Operand:
    """A tensor in L2, and which axis of the group each of its places follows; that of the queries is two: columns, the rest."""

    value: Any
    axes: tuple[int, ...]

    def place(self, axis: int | None) -> int:
        return self.axes.index(axis) if axis in self.axes else -1


def tiled(group: Attention, plan: AttentionPlan, result: Any) -> Any:
    """The group's result, of type `result` with padding, at the insertion point, computed by the cores as `plan` says."""
    known = {d: group.extents[d] for d in group.batch}
    bounds = [*known.values(), *([plan.launches] if plan.launches > 1 else [])] or [1]
    outside = empty(result)
    launch = scf.ForallOp([0] * len(bounds), bounds, [1] * len(bounds), [outside])
    with ir.InsertionPoint(launch.body):
        counters = list(launch.induction_variables)
        batch: dict[int, Index] = dict(zip(known, counters, strict=False))
        first = total((counters[-1], plan.array)) if plan.launches > 1 else 0
        _Launch(group, plan, batch, first).run(launch.inner_iter_args[0])
    return launch.results[0]


def _axes(group: Attention, index: Any) -> list[int | None]:
    found = axes_of(index, {group.q, group.k, group.d, group.v} - {None})
    assert found is not None
    return found


class _Launch:
    """One launch iteration: `batch` are the values of the batch's dimensions, `first` the number of its first query."""

    def __init__(self, group: Attention, plan: AttentionPlan, batch: dict[int, Index], first: Index):
        self.group, self.plan, self.batch, self.first = group, plan, batch, first
        self.sizes = {group.k: plan.padded[1], group.d: group.extent(group.d), group.v: group.extent(group.v)}
        if group.q is not None:
            self.sizes[group.q] = plan.array

    def run(self, result: Any) -> None:
        """The body of the launch, up to its end."""
        group, plan = self.group, self.plan
        loads = [group.query, group.key, group.value, *group.masks]
        operands = {id(load): self._in_l2(load) for load in loads}
        axes = [a for a in _axes(group, group.out) if a is not None]
        shape = [self.sizes[a] for a in axes]
        place = axes.index(group.q) if group.q is not None else -1
        if place >= 0:
            shape[place : place + 1] = [plan.columns, shape[place] // plan.columns]
        herd = scf.ForallOp([0, 0], [plan.columns, plan.rows], [1, 1], [alloc(kind(shape, result.type.element_type), L2)])
        with ir.InsertionPoint(herd.body):
            _Core(self, operands, list(herd.induction_variables)).run(herd.inner_iter_args[0], axes, place)
        made = collapsed(herd.results[0], place) if place >= 0 else herd.results[0]
        offsets, sizes, _ = self._outside(group.out)
        insert_parallel(made, result, offsets, sizes)

    def _outside(self, index: Any) -> tuple[list[Index], list[int], list[int]]:
        """Where the launch's part of a tensor begins that is read or written at `index`; its sizes, and the axes it keeps."""
        axes = _axes(self.group, index)
        begins = {**self.batch, **({} if self.group.q is None else {self.group.q: self.first})}
        offsets = [at(linear, begins) for linear in index]
        return offsets, [1 if a is None else self.sizes[a] for a in axes], [a for a in axes if a is not None]

    def _in_l2(self, load: Element) -> Operand:
        tensor_, index = load.data
        offsets, sizes, axes = self._outside(index)
        value = part(tensor_, offsets, sizes, [self.sizes[a] for a in axes])
        found = Operand(value, tuple(axes))
        place = found.place(self.group.q)
        if place >= 0:
            value = expanded(value, place, self.plan.columns)
        return Operand(copied(value, L2), found.axes)


class _Core:
    """What core (x, y) of the herd does."""

    def __init__(self, launch: _Launch, operands: dict[int, Operand], where: list[Any]):
        group, self.plan, self.launch = launch.group, launch.plan, launch
        self.group = group
        self.operands = operands
        self.x, self.y = where
        loads = ((group.query, group.q), (group.key, group.k), (group.value, group.k))
        self.places = {id(load): max(operands[id(load)].place(axis), 0) for load, axis in loads}

    def run(self, result: Any, axes: Sequence[int], place: int) -> None:
        """The body of the herd, up to its end; `axes` are those of the result, the queries' at `place`."""
        group, plan = self.group, self.plan
        of_query, of_key, of_value = (self.places[id(load)] for load in (group.query, group.key, group.value))
        rows = Axes(of_query, of_key, of_value, max(place, 0))
        step: ScalarStep | MacStep = MacStep(group, plan, rows) if plan.micro else ScalarStep(group, plan, rows)
        own = self._own_queries()
        bounds = [index_constant(n) for n in (0, plan.padded[1], plan.keys)]
        loop = scf.ForOp(*bounds, iter_args=step.begin)
        with ir.InsertionPoint(loop.body):
            key = loop.induction_variable
            steps = {id(load): self._step(load, key) for load in self._by_keys()}
            block = Block(self._tiles(own, steps, key), self._first(), key)
            query = own[id(group.query)] if group.q is not None else expanded(own[id(group.query)], 0, 1)
            state = step.step(list(loop.inner_iter_args), query, steps[id(group.key)], steps[id(group.value)], block)
            scf.yield_(state)
        shape = [plan.m if a == group.q else self.launch.sizes[a] for a in axes]
        offsets, sizes = self._of_core(list(axes), place, total((self.y, plan.m)), plan.m)
        if isinstance(step, MacStep) and step.unpacks(result.type.element_type):
            made = unpacked(step.end(list(loop.results), None), part(result, offsets, sizes, shape), place == 0)
            insert_parallel(made, result, offsets, sizes)
            return
        out = alloc(kind(shape if group.q is not None else [1, *shape], result.type.element_type), L1)
        made = step.end(list(loop.results), out)
        if group.q is None:
            made = collapsed(made, 0)
        insert_parallel(made, result, offsets, sizes)

    def _first(self) -> Any:
        rows = self.plan.rows * self.plan.m
        found = total((self.x, rows), (self.y, self.plan.m))
        return index_constant(found) if isinstance(found, int) else found

    def _by_keys(self) -> list[Element]:
        loads = [self.group.key, self.group.value, *self.group.masks]
        return [load for load in loads if self.group.q not in self.operands[id(load)].axes or self.group.q is None]

    def _of_core(self, axes: list[int], place: int, row: Index, rows: int) -> tuple[list[Index], list[int]]:
        """Offsets and sizes of `rows` queries from `row` on, of those of this column."""
        offsets: list[Index] = [0] * len(axes)
        sizes = [self.launch.sizes[a] for a in axes]
        if place >= 0:
            offsets[place : place + 1] = [self.x, row]
            sizes[place : place + 1] = [1, rows]
        return offsets, sizes

    def _own_queries(self) -> dict[int, Any]:
        """The tiles that follow the queries, in L1: those of all cores of a column come to each, which keeps its own."""
        group = self.group
        loads = [load for load in (group.query, *group.masks) if id(load) in self.operands]
        loads = [
            load for load in loads if load is group.query or (group.q is not None and group.q in self.operands[id(load)].axes)
        ]
        return {id(load): self._own(load) for load in loads}

    def _tile(self, load: Element) -> tuple[int, int] | None:
        """The micro-tile in which the matrix that `load` is of is kept; None for one in rows."""
        if self.plan.micro is None or id(load) not in self.places:
            return None
        rows, deep, columns = self.plan.micro
        tiles = {id(self.group.query): (columns, deep), id(self.group.key): (rows, deep), id(self.group.value): (deep, rows)}
        high, wide = tiles[id(load)]
        return (high, wide) if self.places[id(load)] == 0 else (wide, high)

    def _in_l1(self, load: Element, value: Any) -> Any:
        tile = self._tile(load)
        return copied(value, L1) if tile is None else packed(value, tile)

    def _own(self, load: Element) -> Any:
        """The tile of `load` that belongs to the core's queries, in L1: that of each core of the column comes by."""
        plan, tile = self.plan, self._tile(load)
        unit = 1 if tile is None else tile[self.places[id(load)]]
        if self.group.q is None or plan.rows * plan.m == plan.chunk:
            return self._in_l1(load, self._chunk(load, 0, plan.m))
        bounds = [index_constant(n // unit) for n in (0, plan.rows * plan.m, plan.chunk)]
        shape, m = self._shape(load, plan.m), plan.m // unit
        if tile is not None:
            shape = [*(n // size for n, size in zip(shape, tile, strict=True)), *tile]
        loop = scf.ForOp(*bounds, iter_args=[alloc(kind(shape, load.type), L1)])
        with ir.InsertionPoint(loop.body):
            row, kept = loop.induction_variable, loop.inner_iter_args[0]
            chunk = self._in_l1(load, self._chunk(load, total((row, unit)), plan.chunk))
            if plan.rows == 1:
                scf.yield_([self._keep(load, chunk, kept, row)])
                return loop.results[0]
            above = arith.cmpi(arith.CmpIPredicate.sge, row, total((self.y, m)))
            below = arith.cmpi(arith.CmpIPredicate.slt, row, total((self.y, m), plus=m))
            chosen = scf.IfOp(arith.andi(above, below), [kept.type], has_else=True)
            with ir.InsertionPoint(chosen.then_block):
                scf.yield_([self._keep(load, chunk, kept, total((row, 1), (self.y, -m)))])
            with ir.InsertionPoint(chosen.else_block):
                scf.yield_([kept])
            scf.yield_(list(chosen.results))
        return loop.results[0]

    def _shape(self, load: Element, rows: int) -> list[int]:
        return [rows if a == self.group.q else self.launch.sizes[a] for a in self.operands[id(load)].axes]

    def _chunk(self, load: Element, row: Index, rows: int) -> Any:
        operand = self.operands[id(load)]
        place = operand.place(self.group.q)
        offsets, sizes = self._of_core(list(operand.axes), place, row, rows)
        return part(operand.value, offsets, sizes, self._shape(load, rows))

    def _keep(self, load: Element, chunk: Any, kept: Any, row: Index) -> Any:
        """`kept` with `chunk` from `row` on."""
        place = self.operands[id(load)].place(self.group.q)
        sizes = list(chunk.type.shape)
        offsets: list[Index] = [0] * len(sizes)
        offsets[place] = row
        slot = part(kept, offsets, sizes, sizes)
        return inserted(linalg.copy(chunk, outs=[slot]), kept, offsets, sizes)

    def _step(self, load: Element, key: Any) -> Any:
        """The block of keys from `key` on, in L1."""
        operand = self.operands[id(load)]
        place = operand.place(self.group.k)
        sizes = [self.launch.sizes[a] for a in operand.axes]
        offsets: list[Index] = [0] * len(sizes)
        if place >= 0:
            offsets[place], sizes[place] = key, self.plan.keys
        return self._in_l1(load, part(operand.value, offsets, sizes, sizes))

    def _tiles(self, own: dict[int, Any], steps: dict[int, Any], key: Any) -> dict[int, tuple[Any, tuple[int, ...]]]:
        """The tiles of the masks, and which of query and key they follow."""
        found = {}
        for mask in self.group.masks:
            operand = self.operands[id(mask)]
            follows = tuple(0 if a == self.group.q else 1 for a in operand.axes)
            tile = steps.get(id(mask))
            if tile is None:
                tile = own[id(mask)]
                sizes = list(tile.type.shape)
                offsets: list[Index] = [0] * len(sizes)
                place = operand.place(self.group.k)
                if place >= 0:
                    offsets[place], sizes[place] = key, self.plan.keys
                    tile = part(tile, offsets, sizes, sizes)
            found[id(mask)] = tile, follows
        return found
