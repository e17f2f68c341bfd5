"""Emits attention in tiles: the loop over launches, the copies to L2, and the cores' loop over blocks of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import ir, scf
from allo_air.passes._ir.either import select_or_branch
from allo_air.passes._ir.tensors import empty
from allo_air.passes.map._attention import Attention, axes_of
from allo_air.passes.map._attention_arrivals import Arrivals, Operand, slice_of
from allo_air.passes.map._attention_block import Axes, Block, is_visible
from allo_air.passes.map._attention_mac import MacStep
from allo_air.passes.map._attention_plan import AttentionPlan
from allo_air.passes.map._attention_scalar import ScalarStep
from allo_air.passes.map._attention_slices import (
    L1,
    L2,
    Index,
    alloc,
    collapsed,
    copied,
    expanded,
    insert_parallel,
    inserted,
    kind,
    linear_index,
    part,
    total,
    unpacked,
)
from allo_air.passes.map._elements import Element


def tiled(group: Attention, plan: AttentionPlan, result: ir.Type) -> Any:
    """Emits the group's computation at the insertion point, tiled for launches and cores by `plan`; returns its padded result
    of type `result`.
    """
    batch_extents = {d: group.extents[d] for d in group.batch}
    bounds = [*batch_extents.values(), *([plan.launches] if plan.launches > 1 else [])] or [1]
    outside = empty(result)
    launch = scf.ForallOp([0] * len(bounds), bounds, [1] * len(bounds), [outside])
    with ir.InsertionPoint(launch.body):
        counters = list(launch.induction_variables)
        batch: dict[int, Index] = dict(zip(batch_extents, counters, strict=False))
        first = total((counters[-1], plan.queries_per_launch)) if plan.launches > 1 else 0
        _Launch(group, plan, batch, first).run(launch.inner_iter_args[0])
    return launch.results[0]


def _axes(group: Attention, index: Any) -> list[int | None]:
    axes = axes_of(index, {group.q, group.k, group.d, group.v} - {None})
    assert axes is not None
    return axes


class _Launch:
    """Emits one launch iteration. `batch` are the values of the batch dimensions, `first` is the number of its first query."""

    def __init__(self, group: Attention, plan: AttentionPlan, batch: dict[int, Index], first: Index):
        self.group, self.plan, self.batch, self.first = group, plan, batch, first
        self.sizes = {group.k: plan.padded[1], group.d: group.extent(group.d), group.v: group.extent(group.v)}
        if group.q is not None:
            self.sizes[group.q] = plan.queries_per_launch

    def run(self, result: ir.Value) -> None:
        """Emits the whole body."""
        group, plan = self.group, self.plan
        loads = [group.query, group.key, group.value, *group.masks]
        operands = {id(load): self._in_l2(load) for load in loads}
        axes = [a for a in _axes(group, group.out) if a is not None]
        shape = [self.sizes[a] for a in axes]
        place = axes.index(group.q) if group.q is not None else -1
        if place >= 0:
            shape[place : place + 1] = [*plan.outer_dims, plan.rows * plan.queries_per_part]
        herd = scf.ForallOp([0, 0], [plan.columns, plan.rows], [1, 1], [alloc(kind(shape, result.type.element_type), L2)])
        with ir.InsertionPoint(herd.body):
            core = _Core(group, plan, self.sizes, operands, list(herd.induction_variables))
            core.run(herd.inner_iter_args[0], axes, place, self.first)
        new = herd.results[0]
        for _ in plan.outer_dims if place >= 0 else ():
            new = collapsed(new, place)
        offsets, sizes, _ = self._part_of_launch(group.out)
        insert_parallel(new, result, offsets, sizes)

    def _part_of_launch(self, index: Any) -> tuple[list[Index], list[int], list[int]]:
        """For a tensor that is accessed at `index`: offset and sizes of the launch's part, and the axes of the part's
        dimensions.
        """
        axes = _axes(self.group, index)
        begins = {**self.batch, **({} if self.group.q is None else {self.group.q: self.first})}
        offsets = [linear_index(linear, begins) for linear in index]
        return offsets, [1 if a is None else self.sizes[a] for a in axes], [a for a in axes if a is not None]

    def _in_l2(self, load: Element) -> Operand:
        tensor_, index = load.data
        offsets, sizes, axes = self._part_of_launch(index)
        value = part(tensor_, offsets, sizes, [self.sizes[a] for a in axes])
        operand = Operand(value, tuple(axes))
        place = operand.place(self.group.q)
        for number, outer in enumerate(self.plan.outer_dims if place >= 0 else ()):
            value = expanded(value, place + number, outer)
        return Operand(copied(value, L2), operand.axes)


class _Core(Arrivals):
    """The code of core (x, y) of the herd."""

    def run(self, result: ir.Value, axes: Sequence[int], place: int, first: Index) -> None:
        """Emits the body of the herd. `axes` are the axes of the result, with the queries at position `place`; `first` is the
        launch's first query.
        """
        group, plan, self.launched = self.group, self.plan, first
        of_query, of_key, of_value = (self.places[id(load)] for load in (group.query, group.key, group.value))
        rows = Axes(of_query, of_key, of_value, max(place, 0))
        own = self.own_queries()
        step: ScalarStep | MacStep = MacStep(group, plan, rows) if plan.micro else ScalarStep(group, plan, rows)
        bounds = [index_constant(n) for n in (0, plan.padded[1], plan.keys)]
        loop = scf.ForOp(*bounds, iter_args=step.begin)
        with ir.InsertionPoint(loop.body):
            scf.yield_(self._block(step, own, loop.induction_variable, list(loop.inner_iter_args)))
        self._end(step, list(loop.results), result, axes, max(place, 0))

    def _block(self, step: ScalarStep | MacStep, own: dict[int, ir.Value], key: ir.Value, state: list[ir.Value]) -> list[Any]:
        """The state after the block of keys that starts at key `key`."""
        plan = self.plan
        steps = {id(load): self.step_of(load, key) for load in self.by_keys()}
        shared_tensors = step.of_keys(Block(self.tiles({}, steps, key, 0), 0, key))
        if plan.parts == 1:
            return self._part(step, own, steps, shared_tensors, 0, key, state)
        loop = scf.ForOp(*(index_constant(n) for n in (0, plan.parts, 1)), iter_args=state)
        with ir.InsertionPoint(loop.body):
            number, carried = loop.induction_variable, list(loop.inner_iter_args)
            scf.yield_(self._part(step, own, steps, shared_tensors, number, key, carried))
        return list(loop.results)

    def _part(
        self,
        step: ScalarStep | MacStep,
        own: dict[int, ir.Value],
        steps: dict[int, ir.Value],
        shared_tensors: object,
        number: Index,
        key: ir.Value,
        state: Sequence[ir.Value],
    ) -> list[Any]:
        """The state of a part of the queries after the block of keys; unchanged if no query of the part sees a key of the
        block.
        """
        group, plan = self.group, self.plan
        block = Block(self.tiles(own, steps, key, number), self._first(number), key)
        sees = is_visible(step.skips, plan, block, all_queries=False) if group.q is not None else None
        if sees is None:
            return self._computed(step, own, steps, shared_tensors, number, block, state)
        return select_or_branch(
            sees, lambda: self._computed(step, own, steps, shared_tensors, number, block, state), list(state)
        )

    def _computed(
        self,
        step: ScalarStep | MacStep,
        own: Mapping[int, object],
        steps: Mapping[int, object],
        shared_tensors: Any,
        number: Index,
        block: Block,
        state: Sequence[ir.Value],
    ) -> list[Any]:
        group, plan = self.group, self.plan
        query = own[id(group.query)]
        query = self.of_part(group.query, query, number) if group.q is not None else expanded(query, 0, 1)
        if plan.parts == 1:
            return step.step(state, query, steps[id(group.key)], steps[id(group.value)], block, shared_tensors)
        values = [part(v, *slice_of(v, place, plan.parts, number)) for v, place in zip(state, step.queries, strict=True)]
        result = step.step(values, query, steps[id(group.key)], steps[id(group.value)], block, shared_tensors)
        updates = zip(result, state, step.queries, strict=True)
        return [inserted(v, old, *slice_of(old, place, plan.parts, number)[:2]) for v, old, place in updates]

    def _end(
        self, step: ScalarStep | MacStep, state: list[ir.Value], result: ir.Value, axes: Sequence[int], place: int
    ) -> None:
        """Emits the end of the core's body: writes the results of all parts."""
        group, plan = self.group, self.plan
        shape = [plan.m if a == group.q else self.sizes[a] for a in axes]
        offsets, sizes = self.of_core(
            list(axes), place if group.q is not None else -1, 0, total((self.y, plan.queries_per_part)), plan.queries_per_part
        )
        split = list(shape)
        if plan.parts > 1:
            sizes[place] = plan.parts
            split[place : place + 1] = [plan.parts, plan.queries_per_part]
        if isinstance(step, MacStep) and step.unpacks(result.type.element_type):
            new = unpacked(step.end(state, None), part(result, offsets, sizes, split), place == 0)
        else:
            out = alloc(kind(shape if group.q is not None else [1, *shape], result.type.element_type), L1)
            new = step.end(state, out)
            if group.q is None:
                new = collapsed(new, 0)
            elif plan.parts > 1:
                new = expanded(new, place, plan.parts)
        insert_parallel(new, result, offsets, sizes)

    def _first(self, number: Index) -> Any:
        """The number of the first query of part `number`."""
        plan = self.plan
        begin = (
            (number, plan.columns * plan.rows * plan.queries_per_part),
            (self.x, plan.rows * plan.queries_per_part),
            (self.y, plan.queries_per_part),
        )
        result = total((self.launched, 1), *begin)
        return index_constant(result) if isinstance(result, int) else result
