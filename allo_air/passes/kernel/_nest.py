"""Emits the loops of a linalg.generic. The body works on vectors along one loop, or on single elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

from allo_air.core.constants import index_constant
from allo_air.mlir import arith, ir, scf
from allo_air.passes._analysis.combinations import partial_accumulators
from allo_air.passes._analysis.innermost import innermost
from allo_air.passes._analysis.lanes import FILLED, calls_library
from allo_air.passes._analysis.loop_nest import LoopNest, Operand
from allo_air.passes.kernel._combine import Combiner
from allo_air.passes.kernel._emit import Mode, body, broadcast_to_lanes, counted, counter_plus, extended, load, store, view
from allo_air.passes.kernel._lane_values import splat
from allo_air.passes.kernel._partial_accumulators import PartialAccumulators

Counters = dict[int, Any]
"""The variables of the surrounding loops."""

Known = dict[Any, Any]
"""Maps values of the body to emitted values."""

Bounds = tuple[int, int, int]
Step = Callable[[Counters, list[Any]], list[Any]]
"""A function that computes the loop-carried values of the next iteration."""
Pieces = Sequence[tuple[Bounds, Step]]

_MASKED = 16
"""Lanes of 32 bits that are compared with a loop's variable and selected."""


@dataclass(frozen=True)
class Nest:
    """Emits the loops of `loop_nest`: with vectors of `lanes` lanes along loop `dim`, or on scalars.

    `combiners` are those of the reductions, unless the body itself combines with the accumulator. With `fills`, lanes are
    loaded and stored element by element.
    """

    loop_nest: LoopNest
    dim: int
    lanes: int
    combiners: list[Combiner] | None
    fills: bool = False

    def emit(self) -> None:
        """Emits the loops at the insertion point: parallel ones around reductions, with the vectors' loop innermost of its
        kind, except for a loop with hoisted work before it.
        """
        along = self.lanes > 0 and self.loop_nest.reduces[self.dim]
        strips = self.lanes > 0 and not along
        order = [d for d, r in enumerate(self.loop_nest.reduces) if not r and not (strips and d == self.dim)]
        inner = innermost(self.loop_nest, self.dim, self.lanes) if strips else self.dim
        self._views  # noqa: B018  made here, in front of the loops
        order = [d for d in order if d != inner]
        self._loops(order, {}, partial(self._strips, inner) if strips else self._reduce_in_lanes if along else self._element)

    @cached_property
    def _views(self) -> dict[int, Any]:
        return {n: view(o) for n, o in enumerate(self.loop_nest.operands) if o.is_memory}

    @property
    def _outputs(self) -> list[tuple[int, Operand]]:
        return [(n, o) for n, o in enumerate(self.loop_nest.operands) if o.is_output]

    def _parts(self) -> list[tuple[Mode, tuple[int, int, int]]]:
        """The parts of the loop: whole vectors, and the remaining elements."""
        size, lanes = self.loop_nest.runs(self.dim), self.lanes
        rest = size % lanes
        whole = size - rest
        first = [(Mode(lanes, self.dim, filled=lanes if self.fills else 0), (0, whole, lanes))] if whole else []
        if not rest:
            return first
        if rest > 1 and lanes == FILLED and calls_library(self.loop_nest):
            return [*first, (Mode(lanes, self.dim, filled=rest), (whole, whole + lanes, lanes))]
        return [*first, (Mode(0, self.dim), (whole, size, 1))]

    def _lanes_along(self) -> list[tuple[Mode, tuple[int, int, int]]]:
        """The whole vectors along a reduction, and the remainder: in the lanes of another vector, if the buffers continue so
        far.

        The remainder repeats part of the previous vector, since comparisons of constants have no vectors.
        """
        [*vectors, (mode, (start, _, _))] = parts = self._parts()
        size, lanes = self.loop_nest.runs(self.dim), self.lanes
        if not size % lanes:
            return parts
        if not self.has_masks:
            return [*vectors, (Mode(0, self.dim), (start, size, 1))]
        if lanes < start <= self.loop_nest.sizes[self.dim] - lanes and not self.fills:
            some = Mode(lanes, self.dim, size)
            return [(vectors[0][0], (0, start - lanes, lanes)), (some, (start - lanes, start + lanes, lanes))]
        return [*vectors, (replace(mode, end=size) if mode.lanes else mode, parts[-1][1])]

    @property
    def has_masks(self) -> bool:
        """Whether lanes of a reduction can be left out."""
        return self.lanes == _MASKED and all(str(c.element) in ("f32", "i32") for c in self.combiners or ())

    def _loops(self, order: list[int], ivs: Counters, inside: Callable[..., None]) -> None:
        if not order:
            inside(ivs, self._hoisted_inputs(set(ivs), ivs, {}, Mode(0, self.dim)))
            return
        loop = scf.ForOp(*(index_constant(n) for n in (0, self.loop_nest.sizes[order[0]], 1)))
        with ir.InsertionPoint(loop.body):
            self._loops(order[1:], {**ivs, order[0]: loop.induction_variable}, inside)
            scf.yield_([])

    def _hoisted_inputs(self, dims: set[int], ivs: Counters, mapping: Known, mode: Mode) -> Known:
        """`mapping`, plus the inputs that depend on `dims` only and are not written here."""
        written = {o.value for _, o in self._outputs}
        results = dict(mapping)
        for argument, n, o in self._inputs():
            fixed = all(d in dims for d in range(len(self.loop_nest.sizes)) if o.depends(d))
            if argument not in results and fixed and o.value not in written:
                results[argument] = load(o, self._views.get(n), ivs, mode)
        return results

    def _inputs(self) -> list[tuple[Any, int, Operand]]:
        """The arguments that the body uses, each with its operand and number."""
        pairs = enumerate(zip(self.loop_nest.arguments, self.loop_nest.operands, strict=True))
        return [(a, n, o) for n, (a, o) in pairs if not o.is_output and next(iter(a.uses), None) is not None]

    def _strips(self, inner: int, ivs: Counters, mapping: Known) -> None:
        """Emits the parts of a result loop, each with its reductions inside, or with loop `inner` if that is another loop."""
        for mode, bounds in self._parts():
            loop = scf.ForOp(*(index_constant(n) for n in bounds))
            with ir.InsertionPoint(loop.body):
                here = {**ivs, self.dim: loop.induction_variable}
                if inner == self.dim:
                    self._element(here, mapping, mode)
                else:
                    self._across(inner, here, self._hoisted_inputs(set(here), here, mapping, mode), mode)
                scf.yield_([])

    def _across(self, inner: int, ivs: Counters, mapping: Known, mode: Mode) -> None:
        """Emits the elements of one part, in all iterations of another loop."""
        loop = scf.ForOp(*(index_constant(n) for n in (0, self.loop_nest.sizes[inner], 1)))
        with ir.InsertionPoint(loop.body):
            self._element({**ivs, inner: loop.induction_variable}, mapping, mode)
            scf.yield_([])

    def _element(self, ivs: Counters, mapping: Known, mode: Mode | None = None) -> None:
        """One part of the result, with its reductions inside."""
        mode = mode or Mode(0, self.dim)
        loop_nest, outputs = self.loop_nest, self._outputs
        mapping = self._hoisted_inputs(set(ivs), ivs, mapping, mode)
        reductions = [d for d, r in enumerate(loop_nest.reduces) if r]
        if reductions:
            first = self._wide([load(o, self._views[n], ivs, mode) for n, o in outputs])
            results = self._reduce(reductions, ivs, first, partial(self._step, mapping=mapping, mode=mode))
        else:
            values = self._loaded(ivs, mapping, mode)
            for n, o in outputs:
                if next(iter(loop_nest.arguments[n].uses), None) is not None:
                    values[loop_nest.arguments[n]] = load(o, self._views[n], ivs, mode)
            result = body(loop_nest, values, ivs, mode)
            results = [result.get(v, v) for v in loop_nest.yielded]
        for (n, o), value in zip(outputs, results, strict=True):
            store(broadcast_to_lanes(value, mode) if mode.spread(o) else value, o, self._views[n], ivs, mode)

    def _reduce_in_lanes(self, ivs: Counters, mapping: Known) -> None:
        """Results in lanes that are combined at the end, followed by the remaining elements."""
        assert self.combiners is not None
        order = [d for d, r in enumerate(self.loop_nest.reduces) if r and d != self.dim] + [self.dim]
        scalar = Mode(0, self.dim)
        results = self._wide([load(o, self._views[n], ivs, scalar) for n, o in self._outputs])
        parts = self._lanes_along()
        vectors = [part for part in parts if part[0].lanes]
        carried = [c.beginning(v, vectors[0][0]) for c, v in zip(self.combiners, results, strict=True)]
        for mode, bounds in vectors:
            carried = self._in_lanes(order, ivs, mapping, carried, mode, bounds)
        results = [c.over_lanes(v) for c, v in zip(self.combiners, carried, strict=True)]
        for mode, bounds in parts[len(vectors) :]:
            step = partial(self._step, mapping=mapping, mode=mode)
            results = self._reduce(order, ivs, results, step, [(bounds, step)])
        for (n, o), value in zip(self._outputs, results, strict=True):
            store(value, o, self._views[n], ivs, scalar)

    def _wide(self, values: list[ir.Value]) -> list[Any]:
        if self.combiners is None:
            return values
        pairs = zip(values, self.combiners, strict=True)
        return [extended(v, c.element) if isinstance(c.element, ir.FloatType) else v for v, c in pairs]

    def _in_lanes(
        self, order: list[int], ivs: Counters, mapping: Known, first: list[ir.Value], mode: Mode, bounds: Bounds
    ) -> list[Any]:
        """The results in lanes after a loop over vectors that starts with `first`."""
        assert self.combiners is not None
        start, end, step = bounds
        partial_count = partial_accumulators(self.loop_nest, self.combiners, (end - start) // step)
        several = end - (end - start) % (partial_count * step)
        accumulators = [PartialAccumulators(c, partial_count, bool(mode.end)) for c in self.combiners]
        opened = [k.opened(v) for k, v in zip(accumulators, first, strict=True)]
        begins = [sum(map(len, opened[:n])) for n in range(len(opened) + 1)]
        slices = [slice(a, b) for a, b in pairwise(begins)]

        def turn(count: int, ivs: Counters, carried: list[ir.Value]) -> list[Any]:
            for part in range(count):
                here = {**ivs, mode.dim: counter_plus(ivs[mode.dim], part * step)}
                terms = self._terms(here, mapping, mode)
                results = [k.added(carried[s], t, part) for k, s, t in zip(accumulators, slices, terms, strict=True)]
                carried = [v for values in results for v in values]
            return carried

        pieces = [((start, several, partial_count * step), partial(turn, partial_count))]
        if several < end:
            pieces.append(((several, end, step), partial(turn, 1)))
        carried = self._reduce(order, ivs, [v for values in opened for v in values], pieces[0][1], pieces)
        return [k.closed(carried[s], v) for k, s, v in zip(accumulators, slices, first, strict=True)]

    def _reduce(self, order: list[int], ivs: Counters, carried: list[ir.Value], step: Step, last: Pieces = ()) -> list[Any]:
        """Emits the loops in `order` around `step` of the reduction. The innermost loop is divided into the parts `last`, if
        there are any.
        """
        if not order:
            return step(ivs, carried)
        pieces = last if last and len(order) == 1 else [((0, self.loop_nest.runs(order[0]), 1), step)]
        for bounds, inside in pieces:
            loop = scf.ForOp(*(index_constant(n) for n in bounds), carried)
            with ir.InsertionPoint(loop.body):
                inner = {**ivs, order[0]: loop.induction_variable}
                scf.yield_(self._reduce(order[1:], inner, list(loop.inner_iter_args), inside, last))
            carried = list(loop.results)
        return carried

    def _step(self, ivs: Counters, carried: list[ir.Value], mapping: Known, mode: Mode) -> list[Any]:
        loop_nest = self.loop_nest
        if self.combiners is not None:
            pairs = zip(self.combiners, carried, self._terms(ivs, mapping, mode), strict=True)
            return [c.combine(v, t) for c, v, t in pairs]
        values = self._loaded(ivs, mapping, mode) | dict(zip(loop_nest.arguments[-len(carried) :], carried, strict=True))
        result = body(loop_nest, values, ivs, mode)
        return [self._full(result.get(v, v), mode) for v in loop_nest.yielded]

    def _terms(self, ivs: Counters, mapping: Known, mode: Mode) -> list[Any]:
        """The terms of the reductions in one iteration."""
        assert self.combiners is not None
        result = body(self.loop_nest, self._loaded(ivs, mapping, mode), ivs, mode, frozenset(c.op for c in self.combiners))
        terms = [self._full(result.get(c.term, c.term), mode) for c in self.combiners]
        if not mode.end:
            return terms
        return [self._masked(t, c, ivs, mode) for t, c in zip(terms, self.combiners, strict=True)]

    @staticmethod
    def _masked(term: ir.Value, combiner: Combiner, ivs: Counters, mode: Mode) -> Any:
        """`term` in the lanes before the loop's end, and the neutral element in the others."""
        place = counted(ivs[mode.dim], mode)
        inside = arith.cmpi(arith.CmpIPredicate.slt, place, splat(place.type, mode.end))
        term = extended(term, combiner.element) if isinstance(combiner.element, ir.FloatType) else term
        return arith.select(inside, term, splat(term.type, combiner.neutral()))

    @staticmethod
    def _full(value: ir.Value, mode: Mode) -> Any:
        return broadcast_to_lanes(value, mode) if mode.lanes else value

    def _loaded(self, ivs: Counters, mapping: Known, mode: Mode) -> Known:
        """All inputs of the body."""
        return {a: mapping[a] if a in mapping else load(o, self._views.get(n), ivs, mode) for a, n, o in self._inputs()}
