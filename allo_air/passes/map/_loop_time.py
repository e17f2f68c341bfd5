"""The time of an operation's loops in the code that `vectorize-generics` emits for it, counted without emitting it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from allo_air.arch import Core
from allo_air.core_model.pipelining import UNROLLED
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.combinations import WAYS, combinations_of, partial_accumulators
from allo_air.passes._analysis.innermost import innermost
from allo_air.passes._analysis.lanes import FILLED, calls_library, lanes_of_loop_nest
from allo_air.passes._analysis.loop_nest import LoopNest, NotALoopNest, Operand
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, reductions
from allo_air.passes._analysis.unrolling import CORE_OPERATIONS, MOST, OPERATIONS, unroll_factors
from allo_air.passes.map._op_work import DIVISION, Work, has_form, quotient_work, scalar_work, vector_work

ALIGNMENT = 32
"""Alignment of vectors in bytes (docs/sources.md#vector-kernels)."""
SCALAR, VECTOR = -1, 0
"""How a body is emitted: on single elements, or on vectors. A positive number is that of the lanes of a vector that are loaded
and stored element by element.
"""


@dataclass(frozen=True)
class _Loop:
    """A loop that runs: the operation's loops that it merges, whether it reduces, its iterations, and the elements by which
    each operand advances.
    """

    dims: tuple[int, ...]
    reduces: bool
    size: int
    factors: tuple[int, ...]


_Values = dict[ir.Value, tuple[int, bool, int]]
"""For each value of a body: the number of loops around its computation, whether it is a vector, and when it is ready."""


@dataclass
class _Level:
    """The code inside some loops and outside of the others: instructions, issue slots, cycles of the busiest unit, of stores to
    one buffer, which stay in order, until the last result, and from a carried value to the next one.
    """

    instructions: int = 0
    slots: int = 0
    loads: float = 0.0
    moves: int = 0
    computes: int = 0
    stores: int = 0
    ordered: int = 0
    latency: int = 0
    carried: int = 0
    has_vectors: bool = False

    @property
    def busy(self) -> float:
        """Cycles of the busiest unit."""
        return max(self.loads, self.moves, self.computes, self.stores, 1)

    def plus(self, other: _Level, times: int = 1) -> _Level:
        """This code with `times` the other in it."""
        return _Level(
            self.instructions + other.instructions * times,
            self.slots + other.slots * times,
            self.loads + other.loads * times,
            self.moves + other.moves * times,
            self.computes + other.computes * times,
            self.stores + other.stores * times,
            self.ordered + other.ordered * times,
            self.latency + other.latency + int((times - 1) * max(other.busy, other.carried)),
            0,
            self.has_vectors or other.has_vectors,
        )

    def add(self, work: Work) -> None:
        """Adds an operation."""
        self.instructions += work.instructions
        self.slots += work.instructions
        self.computes += work.busy


_Nest = list[tuple[int, _Level]]
"""The loops with more than one iteration, from the outermost on: trips, and the code of each besides the inner ones; first the
code outside of all loops.
"""


class LoopTime:
    """The time of an operation's loops on a core, for many tiles."""

    def __init__(self, op: ir.Operation, core: Core, *, is_bf16: bool, is_returned: bool) -> None:
        self._op, self._core, self._is_bf16, self._is_returned = op, core, is_bf16, is_returned
        self._reduces, self._extents = reductions(op), loop_extents(op)
        maps = indexing_maps(op)
        operands = list(zip(op.operands, maps, strict=True))
        steps = [
            [_steps(e, m.n_dims) for e in m.results] if isinstance(v.type, ir.RankedTensorType) else [] for v, m in operands
        ]
        self._is_linear = all(row is not None for rows in steps for row in rows)
        self._steps = [[row for row in rows if row is not None] for rows in steps]
        first = len(operands) - len(op.results)
        zero = ((0,) * len(self._extents), 0)
        self._operands = [Operand(v, (zero,), n >= first) for n, (v, _) in enumerate(operands)]
        self._bytes = [max(element_bits(v.type) or 32, 8) // 8 for v, _ in operands]
        nest = self._nest([])
        self._body, self._arguments, self._yielded = nest.body, nest.arguments, nest.yielded
        self._combiners = combinations_of(nest) if any(self._reduces) else None
        try:
            self._lanes = lanes_of_loop_nest(nest, has_form) if self._is_linear else 0
        except NotALoopNest:
            self._lanes = 0
        self._fills = self._lanes == FILLED and calls_library(nest)
        self._masks = self._lanes == FILLED and all(str(c.element) in ("f32", "i32") for c in self._combiners or ())
        self._indexed = {o.attributes["dim"].value for o in self._body if o.name == "linalg.index"}
        self._used = [next(iter(a.uses), None) is not None for a in self._arguments]
        self._work = {
            o: (scalar_work(o, is_bf16, core), vector_work(o, is_bf16, core)) for o in self._body if o.name != "arith.constant"
        }
        self._levels: dict[object, list[_Level]] = {}
        self._nests: dict[tuple[int, ...], list[_Nest]] = {}
        self._times: dict[tuple[tuple[int, ...], int], float] = {}
        self._orders: dict[object, float] = {}

    def code(self, tile: Sequence[int]) -> int:
        """Operations in the code of loops of these sizes."""
        nests = self._nests_of(tuple(tile))
        inner = [nest[-1] for nest in nests if len(nest) > 1]
        return sum(level.instructions for nest in nests for _, level in nest) + sum(
            _added(*loop, _unrolling(*loop)) for loop in inner
        )

    def of(self, tile: Sequence[int], code: int) -> float:
        """Cycles for loops of these sizes in a core that has so many operations in all."""
        key = tuple(tile), code
        if key not in self._times:
            self._times[key] = self._cycles(self._nests_of(key[0]), code)
        return self._times[key]

    def _cycles(self, nests: list[_Nest], code: int) -> float:
        if len(nests) == 2 and all(len(nest) == 1 for nest in nests) and not self._is_returned:
            (_, first), (_, second) = nests[0][0], nests[1][0]  # else the lock of a result is between them
            return max(first.latency, second.latency) + min(first.busy, second.busy)
        return sum(self._nested(nest, code) for nest in nests)

    def _nest(self, loops: Sequence[_Loop]) -> LoopNest:
        places = tuple(next((n for n, loop in enumerate(loops) if d in loop.dims), None) for d in range(len(self._extents)))
        operands = self._operands
        if loops:
            operands = [
                Operand(o.value, ((tuple(loop.factors[n] for loop in loops), 0),), o.is_output) for n, o in enumerate(operands)
            ]
        sizes, reduces = tuple(loop.size for loop in loops), tuple(loop.reduces for loop in loops)
        return LoopNest(self._op, sizes, reduces or tuple(self._reduces), tuple(operands), places)

    def _nests_of(self, tile: tuple[int, ...]) -> list[_Nest]:
        if tile not in self._nests:
            self._nests[tile] = self._emitted(tile)
        return self._nests[tile]

    def _emitted(self, tile: tuple[int, ...]) -> list[_Nest]:
        """The nests of loops that are emitted one after another."""
        loops = self._loops(tile)
        vectors = self._vectors(loops)
        if vectors is not None:
            return self._along(loops, *vectors, VECTOR)
        filled = self._filled(loops)
        if filled is not None:
            return self._along(loops, filled, FILLED, FILLED)
        return [self._nest_of(loops, _parallel_first(loops), None, [loop.size for loop in loops], SCALAR)]

    def _along(self, loops: list[_Loop], dim: int, lanes: int, mode: int) -> list[_Nest]:
        """The nests with vectors along a loop, and for the remaining elements."""
        size = loops[dim].size
        whole, rest = divmod(size, lanes)
        order = [d for d in _parallel_first(loops) if d != dim]
        if loops[dim].reduces:
            order.append(dim)
        else:
            inner = self._innermost(loops, dim, lanes)
            parallel = [d for d in order if not loops[d].reduces and d != inner]
            order = [*parallel, dim, *([inner] if inner != dim else []), *(d for d in order if loops[d].reduces)]
        parts = [(whole, mode)] if whole else []
        if rest:
            if loops[dim].reduces and self._masks and whole > 1:
                parts = [(whole + 1, mode)]
            elif rest > 1 and self._fills:
                parts.append((1, rest))
            else:
                parts.append((rest, SCALAR))
        return [
            self._nest_of(loops, order, dim, [loop.size if n != dim else count for n, loop in enumerate(loops)], how)
            for count, how in parts
        ]

    def _loops(self, tile: tuple[int, ...]) -> list[_Loop]:
        """The loops that run, where adjacent loops that all operands address as one are merged."""
        walks = [_factors(rows, tile) if self._is_linear else [1] * len(tile) for rows in self._steps]
        results: list[_Loop] = []
        for d, size in enumerate(tile):
            if size == 1:
                continue
            loop = _Loop((d,), self._reduces[d], size, tuple(w[d] for w in walks))
            if results and self._is_linear and d not in self._indexed:
                before = results[-1]
                is_one = all(b == size * f for b, f in zip(before.factors, loop.factors, strict=True))
                if is_one and before.reduces == loop.reduces and not self._indexed & {*before.dims}:
                    results[-1] = _Loop((*before.dims, d), loop.reduces, size * before.size, loop.factors)
                    continue
            results.append(loop)
        return results

    def _vectors(self, loops: list[_Loop]) -> tuple[int, int] | None:
        """The loop along which vectors run, and their lanes."""
        for lanes in (self._lanes, self._lanes // 2) if not self._body else (self._lanes,):
            dims = [d for d in range(len(loops)) if lanes and self._is_along(loops, d, lanes)]
            if dims:
                return max(dims, key=lambda d: (not loops[d].reduces, loops[d].size // lanes)), lanes
        return None

    def _is_along(self, loops: list[_Loop], dim: int, lanes: int) -> bool:
        loop = loops[dim]
        if loop.size < lanes or (loop.reduces and self._combiners is None):
            return False
        for n, operand in enumerate(self._operands):
            if not operand.is_memory:
                continue
            along, size = loop.factors[n], self._bytes[n]
            if along not in (0, 1) or (operand.is_output and bool(along) == loop.reduces):
                return False
            needed = min(lanes * size, ALIGNMENT)
            if along and any(other.factors[n] * size % needed for other in loops if other != loop):
                return False
        return True

    def _filled(self, loops: list[_Loop]) -> int | None:
        """The loop along which vectors are filled element by element."""
        if not self._fills:
            return None
        dims = [d for d, o in enumerate(loops) if not o.reduces or (self._combiners is not None and self._masks)]
        return min(dims, key=lambda d: ceil(loops[d].size / FILLED) / loops[d].size, default=None)

    def _innermost(self, loops: list[_Loop], dim: int, lanes: int) -> int:
        first = len(self._operands) - len(self._op.results)
        if len(loops) == 1 or any(o.reduces for o in loops) or any(self._used[first:]):
            return dim
        key = (tuple(o.dims for o in loops), dim, lanes, tuple(o.size for o in loops))
        if key not in self._orders:
            self._orders[key] = innermost(self._nest(loops), dim, lanes)
        return int(self._orders[key])

    def _nest_of(self, loops: list[_Loop], order: list[int], dim: int | None, trips: Sequence[int], mode: int) -> _Nest:
        key = (tuple(o.dims for o in loops), tuple(order), dim, mode)
        if key not in self._levels:
            self._levels[key] = self._levels_of(loops, order, dim, mode)
        outer, *rest = self._levels[key]
        nest: _Nest = [(1, outer)]
        for d, level in zip(order, rest, strict=True):
            if trips[d] == 1:
                times, before = nest.pop()
                nest.append((times, before.plus(level)))
            else:
                nest.append((trips[d], level))
        return nest

    def _nested(self, nest: _Nest, code: int) -> float:
        """Cycles of a nest of loops in a core that has so many operations."""
        core, (trips, level) = self._core, nest[-1]
        if len(nest) == 1:
            return max(level.latency, level.busy)
        factor = _unrolling(trips, level)
        if factor == 1 < trips and level.has_vectors and code + _added(trips, level, 2) <= CORE_OPERATIONS:
            factor = 2
        if factor == trips:
            times, before = nest[-2]
            level = before.plus(level, trips)
            if len(nest) == 2:
                return max(level.latency, level.busy)
            cycles, nest = self._loop(times, level, 1), nest[:-2]
        else:
            cycles, nest = self._loop(trips - trips % factor, level, factor) + self._loop(trips % factor, level, 1), nest[:-1]
        while nest:
            times, level = nest.pop()
            own = max(level.latency, level.busy if level.slots else 0)
            cycles = times * (cycles + own + (core.jump if nest else 0))
        return cycles

    def _loop(self, trips: int, level: _Level, factor: int) -> float:
        """Cycles of an innermost loop that is unrolled by `factor`."""
        if not trips:
            return 0
        if trips * level.slots <= UNROLLED or trips == factor:
            return level.latency + (trips - 1) * max(level.busy, level.carried)
        depth = level.latency + (factor - 1) * max(level.busy, level.ordered, level.carried)
        return trips // factor * max(depth - 1, self._core.jump) + 1

    def _levels_of(self, loops: list[_Loop], order: list[int], dim: int | None, mode: int) -> list[_Level]:
        """The code inside of each number of loops."""
        core = self._core
        levels = [_Level() for _ in range(len(order) + 1)]
        ready: _Values = {}
        inside = sum(not loops[d].reduces for d in order)
        is_along = dim is not None and loops[dim].reduces and mode != SCALAR
        lanes = self._lanes if mode != SCALAR else 1
        first = len(self._operands) - len(self._op.results)
        own = {c.op for c in self._combiners or ()}

        def depth(n: int) -> int:
            return max([0, *(k + 1 for k, d in enumerate(order) if loops[d].factors[n])])

        def varies(n: int) -> bool:
            return mode != SCALAR and dim is not None and bool(loops[dim].factors[n])

        def load(n: int, level: _Level) -> int:
            level.instructions += 2
            if not varies(n):
                level.slots, level.loads = level.slots + 1, level.loads + 1
                return core.scalar_load
            level.has_vectors = True
            if mode > 0:
                level.slots, level.loads, level.moves = level.slots + 2 * mode, level.loads + mode, level.moves + mode
                level.instructions += 2 * mode
                return core.scalar_load + mode - 1 + mode * core.shuffle
            count = ceil(lanes * self._bytes[n] / core.load_bytes)
            level.slots, level.loads = level.slots + count, level.loads + count / core.loads
            return core.vector_load + (count - 1) // core.loads

        def store(n: int, level: _Level, when: int) -> None:
            level.instructions += 2
            if not varies(n):
                count = each = 1
            elif mode > 0:
                count, each, level.moves, when = mode, mode, level.moves + mode, when + core.shuffle
                level.instructions += 2 * mode
            else:
                count, each = ceil(lanes * self._bytes[n] / core.store_bytes), 1
            level.slots, level.stores = level.slots + count, level.stores + count
            level.ordered += each * core.store + count - each
            level.latency = max(level.latency, when + core.store + count - 1)

        def broadcast(value: ir.Value, depth_of_use: int) -> int:
            """When the value is in all lanes."""
            place, is_vector, when = ready[value]
            if is_vector:
                return when if place == depth_of_use else 0
            levels[place].moves, levels[place].slots = levels[place].moves + 1, levels[place].slots + 1
            levels[place].latency = max(levels[place].latency, when + core.shuffle)
            ready[value] = place, True, when + core.shuffle
            return when + core.shuffle if place == depth_of_use else 0

        for n, operand in enumerate(self._operands[:first]):
            if self._used[n]:
                place = depth(n)
                when = load(n, levels[place]) if operand.is_memory else 0
                ready[self._arguments[n]] = place, varies(n), when
        for n in range(first, len(self._operands)):
            argument = self._arguments[n]
            if any(loops[d].reduces for d in order):
                when = load(n, levels[inside])
                levels[inside].latency += when
                ready[argument] = len(order), is_along or varies(n), 0
            elif self._used[n]:
                ready[argument] = depth(n), varies(n), load(n, levels[depth(n)])
        for op in self._body:
            if op.name == "arith.constant":
                continue
            if op.name == "linalg.index":
                place = next((k + 1 for k, d in enumerate(order) if op.attributes["dim"].value in loops[d].dims), 0)
                is_vector = mode != SCALAR and place > 0 and order[place - 1] == dim
                if is_vector:
                    levels[place].add(Work(2, 1, core.shuffle + core.alu))
                ready[op.results[0]] = place, is_vector, core.shuffle + core.alu if is_vector else 0
                continue
            inputs = [v for v in op.operands if v in ready]
            place = max((ready[v][0] for v in inputs), default=0)
            is_vector = (mode != SCALAR and any(ready[v][1] for v in inputs)) or (op in own and is_along)
            if is_vector:
                times = [broadcast(v, place) for v in inputs]
            else:
                times = [ready[v][2] if ready[v][0] == place else 0 for v in inputs]
            work = self._work[op][is_vector]
            level = levels[place]
            divisor = op.operands[1] if op.name == DIVISION else None
            if divisor is not None and place and ready.get(divisor, (0,))[0] < place:
                first_level = levels[ready.get(divisor, (0,))[0]]
                before, work = quotient_work(self._is_bf16, core)
                first_level.add(before)
                first_level.latency += before.latency
            if op in own and place == len(order) and is_along and dim is not None:
                carried, work = self._combined(op, work, loops[dim].size // lanes)
                level.carried += carried
            elif any(a in op.operands for a in self._arguments[first:]) and order:
                level.carried += work.latency if any(self._reduces) else 0
            level.add(work)
            level.has_vectors |= is_vector
            when = max(times, default=0) + work.latency
            level.latency = max(level.latency, when)
            ready[op.results[0]] = place, is_vector, when
        for n in range(first, len(self._operands)):
            value = self._yielded[n - first]
            place, _, when = ready.get(value, (0, False, 0))
            if any(loops[d].reduces for d in order):
                level = levels[inside]
                if is_along:
                    level.latency += self._closing(n - first, level)
                store(n, level, level.latency)
            else:
                inner = depth(n)
                store(n, levels[inner], when if place == inner else 0)
                if self._used[n]:
                    levels[inner].ordered += levels[inner].latency  # the next load of this buffer waits for the store
        return levels

    def _combined(self, op: ir.Operation, work: Work, trips: int) -> tuple[int, Work]:
        """The latency from one carried vector to the next, and the work of combining."""
        core = self._core
        if op.name in ("arith.maximumf", "arith.maxnumf") and str(op.results[0].type) == "f32":
            return core.alu, Work(3, 2, 2 * core.alu)
        if str(op.results[0].type) == "bf16" and op.name in ("arith.addf", "arith.mulf"):
            work = Work(work.instructions + 1, 2, core.mac + core.shuffle)
        count = partial_accumulators(self._nest([]), self._combiners or [], trips)
        return ceil(work.latency / count) if count == WAYS else work.latency, work

    def _closing(self, number: int, level: _Level) -> int:
        """Cycles to combine the lanes of a result."""
        core = self._core
        assert self._combiners is not None
        combiner = self._combiners[number]
        each = self._work[combiner.op][1].latency
        begins = 2 * core.shuffle
        if combiner.op.name == "arith.addf":
            level.moves, level.slots, level.instructions = level.moves + 5, level.slots + 9, level.instructions + 1
            return begins + 4 * core.mac + 5 * core.shuffle
        level.slots, level.instructions = level.slots + 4 * 4, level.instructions + 8
        return begins + 4 * (core.shuffle + each) + core.shuffle


def _parallel_first(loops: Sequence[_Loop]) -> list[int]:
    return sorted(range(len(loops)), key=lambda d: loops[d].reduces)


def _unrolling(trips: int, level: _Level) -> int:
    """The factor by which `unroll-vector-loops` unrolls a loop, without doubling."""
    factors = unroll_factors(trips, max(level.instructions, 1), MOST, OPERATIONS) if level.has_vectors else []
    return max(factors, default=1)


def _added(trips: int, level: _Level, factor: int) -> int:
    """The operations that unrolling adds to a loop."""
    return (factor - 1 + (trips % factor > 0)) * level.instructions


def _factors(steps: list[list[int]], tile: Sequence[int]) -> list[int]:
    """The stride of each loop, in elements, in a buffer with the part of a tensor that a tile touches, in row-major order."""
    spans = [1 + sum(s * (n - 1) for s, n in zip(row, tile, strict=True)) for row in steps]
    factors = [0] * len(tile)
    stride = 1
    for row, span in reversed(list(zip(steps, spans, strict=True))):
        factors = [f + stride * s for f, s in zip(factors, row, strict=True)]
        stride *= span
    return factors


def _steps(expression: ir.AffineExpr, loops: int) -> list[int] | None:
    """The change of an index by each loop; None if it is not constant, or negative."""
    if isinstance(expression, ir.AffineConstantExpr):
        return [0] * loops
    if isinstance(expression, ir.AffineDimExpr):
        return [int(d == expression.position) for d in range(loops)]
    if isinstance(expression, ir.AffineAddExpr):
        lhs, rhs = (_steps(e, loops) for e in (expression.lhs, expression.rhs))
        return None if lhs is None or rhs is None else [a + b for a, b in zip(lhs, rhs, strict=True)]
    if isinstance(expression, ir.AffineMulExpr) and isinstance(expression.rhs, ir.AffineConstantExpr):
        steps = _steps(expression.lhs, loops)
        times = expression.rhs.value
        return None if steps is None or times < 0 else [f * times for f in steps]
    return None
