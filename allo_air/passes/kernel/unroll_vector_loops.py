"""unroll-vector-loops."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, prod
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.dedup import change_equal
from allo_air.core.loops import Dim, Loop, dim_of
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, enclosing, parents, walk_named, walk_pre_order
from allo_air.dialects.declarations import device_of
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.unrolling import CORE_OPERATIONS, MOST, OPERATIONS, unroll_factors
from allo_air.passes.kernel._copies import join_copies

OPERATION_BYTES = 6
"""Bytes of code of an operation, averaged over cores with long code (simulated: 5 to 6)."""
SHORT_LOOP_BYTES = 7
"""The same for cores with shared code, whose many short loops wait for latencies (simulated: 6 to 6.5)."""
_PLAIN = ("vector.", "arith.", "math.", "memref.load", "memref.store", "affine.apply", "ub.poison")
"""Names, or their beginnings, of operations that only compute, load and store."""


@dataclass(frozen=True)
class UnrollVectorLoops(Pass):
    """Unrolls innermost loops over vectors, so that the latencies of several iterations overlap.

    A core's compiler does not pipeline loops from MLIR: each iteration waits for the last instruction of the previous one, and
    a jump takes six cycles. The factor is the largest divisor of the trip count for which the loop has at most `operations`
    operations, and at most `most`. If there is none, a second loop has the remainder. Longer bodies, as of functions, are
    doubled as long as the core has at most `core_operations`. If the code of a core would be longer, or not fit into its
    program memory, the two copies in the body of a loop that alternates between buffers become one; if that does not suffice,
    the code that fits is spent where it saves most iterations. Functions that cores call are unrolled after these, within the
    room that is left. Loops with contractions are those of `block-contractions` and stay.

    Before:

        scf.for %i = %c0 to %c64 step %c16 {
          vector.transfer_write %zero, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32, 2>
        }

    After, with `most=2`:

        scf.for %i = %c0 to %c64 step %c32 {
          vector.transfer_write %zero, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<64xf32, 2>
          %j = arith.addi %i, %c16 : index
          vector.transfer_write %zero, %m[%j] {in_bounds = [true]} : vector<16xf32>, memref<64xf32, 2>
        }
    """

    name = "unroll-vector-loops"

    most: int = MOST
    """Largest factor."""
    operations: int = OPERATIONS
    """Largest number of operations of an unrolled loop."""
    core_operations: int = CORE_OPERATIONS
    """Largest number of operations of a core with doubled loops. A core's program memory holds 1024 instructions."""

    def run(self, op: AnyOp, /) -> None:
        cores = walk_named(op, "aie.core")
        if not cores:
            self._change(op, inf)
        change_equal(cores, self._change_core)
        rooms: dict[ir.Operation, float] = {}
        for core in walk_named(op, "aie.core"):
            functions = _called(core)
            room = _room(core) + sum(map(_operations, functions)) - _operations(core) if functions else 0
            for function in functions:
                rooms[function] = min(rooms.get(function, inf), _operations(function) + room / len(functions))
        for function, room in rooms.items():
            self._change(function, room)

    def _change_core(self, core: ir.Operation) -> bool:
        """Unrolls the loops of `core`; returns whether it changed."""
        is_joined = self._lacks_room(core) and join_copies(core)
        return self._change(core, _room(core)) or is_joined

    def _lacks_room(self, core: ir.Operation) -> bool:
        """Whether a loop of `core` would be unrolled more if the core had less code."""
        loops = self._loops(core)
        total = _operations(core) + sum(loop.added(loop.factors[-1]) for loop in loops)
        return total > (self.core_operations if any(loop.is_long for loop in loops) else _room(core))

    def _change(self, root: AnyOp, room: float) -> bool:
        """Unrolls the loops in `root`, which may have `room` operations; returns whether it unrolled any.

        The factors grow first where an operation more saves most iterations.
        """
        loops = self._loops(root)
        taken = dict.fromkeys(loops, 1)
        left = self._limit(loops, _operations(root), room) - _operations(root)
        while steps := [step for loop in loops if (step := loop.next(taken[loop])) is not None and step.operations <= left]:
            best = max(steps, key=lambda step: step.saved / max(step.operations, 1))
            left -= best.operations
            taken[best.loop] = best.factor
        for loop, factor in taken.items():
            if factor > 1:
                _split(loop.op, loop.dim, factor)
                _unroll(loop.op, factor)
        return max(taken.values(), default=1) > 1

    def _limit(self, loops: list[_Loop], own: int, room: float) -> float:
        """The operations that a core of `own` may have: at most `core_operations` because of long loops."""
        short = [loop for loop in loops if not loop.is_long]
        most = self.most
        while (total := own + sum(loop.added(loop.within(most)) for loop in short)) > room and most > 1:
            most //= 2
        return max(min(self.core_operations, room), total)

    def _loops(self, root: AnyOp) -> list[_Loop]:
        """The loops in `root` that can be unrolled."""
        loops = [(loop, dim) for loop in walk_named(root, "scf.for") if (dim := dim_of(loop)) and _can_unroll(loop)]
        return [_Loop.of(loop, dim, self.most, self.operations) for loop, dim in loops if dim.trips > 1]


@dataclass(frozen=True)
class _Step:
    """A larger factor for a loop: the operations that it adds, and how many fewer operations the core executes in sequence."""

    loop: _Loop
    factor: int
    operations: int
    saved: float


@dataclass(frozen=True)
class _Loop:
    """A loop that can be unrolled: the number of its operations, how often it runs, and possible factors, the largest last.
    A long loop has more operations than an unrolled one may have; it is only doubled.
    """

    op: ir.Operation
    dim: Dim
    count: int
    runs: int
    factors: tuple[int, ...]
    is_long: bool

    @classmethod
    def of(cls, op: ir.Operation, dim: Dim, most: int, operations: int) -> _Loop:
        """The loop `op`, with factors up to `most` within `operations`."""
        count = sum(map(_size, body_of(op)))
        runs = prod(around.trips for p in parents(op) if p.name == "scf.for" and (around := dim_of(p)) is not None)
        factors = unroll_factors(dim.trips, count, most, operations)
        return cls(op, dim, count, runs, tuple(factors or [2]), not factors)

    def within(self, most: int) -> int:
        """The largest factor up to `most`, 1 without any."""
        return max((n for n in self.factors if n <= most), default=1)

    def added(self, factor: int) -> int:
        """The operations that unrolling adds."""
        return (factor - 1 + (self.dim.trips % factor > 0)) * self.count if factor > 1 else 0

    def next(self, factor: int) -> _Step | None:
        """The step from `factor` to the next larger one."""
        larger = next((n for n in self.factors if n > factor), None)
        if larger is None:
            return None
        saved = self.runs * self.dim.trips * self.count * (1 / factor - 1 / larger)
        return _Step(self, larger, self.added(larger) - self.added(factor), saved)


def _room(core: ir.Operation) -> float:
    """The number of operations that fit into the program memory of `core` with the functions that it calls."""
    memory = device_of(enclosing(core, "aie.device").opview).tiles["core"].program_memory
    functions = _called(core)
    return memory / (SHORT_LOOP_BYTES if functions else OPERATION_BYTES) - sum(map(_operations, functions))


def _called(core: ir.Operation) -> list[ir.Operation]:
    """The functions of the device that `core` calls, as far as they have bodies."""
    names = {callee_of(call) for call in walk_named(core, "func.call")}
    functions = walk_named(core.parent, "func.func") if names and core.parent is not None else []
    return [f for f in functions if sym_name_of(f) in names and f.regions[0].blocks]


def _operations(root: AnyOp) -> int:
    return sum(map(_size, walk_pre_order(root)))


def _can_unroll(loop: ir.Operation) -> bool:
    """Whether a loop only computes, on vectors too, and has no contractions."""
    body = [o for o in body_of(loop) if o.name != "scf.yield"]
    plain = all(o.name.startswith(_PLAIN) and o.name != "vector.contract" for o in body)
    return plain and any(map(_is_of_vectors, body))


def _size(op: ir.Operation) -> int:
    """1 for an operation that needs an instruction, 0 for constants and terminators."""
    return op.name not in ("arith.constant", "ub.poison", "scf.yield")


def _split(loop: ir.Operation, dim: Dim, factor: int) -> None:
    """Moves the iterations that are not a multiple of `factor` into a second loop."""
    rest = dim.trips % factor
    if not rest:
        return
    with loop.location:
        with ir.InsertionPoint(loop):
            bound = arith.constant(dim.iv.type, dim.lower + (dim.trips - rest) * dim.step)
        second = loop.clone(ip=ir.InsertionPoint.after(loop)).operation
    for value, remainder in zip(loop.results, second.results, strict=True):
        value.replace_all_uses_with(remainder)
    for number, value in enumerate(loop.results):
        second.operands[3 + number] = value
    loop.operands[1] = second.operands[0] = bound


def _is_of_vectors(op: ir.Operation) -> bool:
    return any(isinstance(v.type, ir.VectorType) for v in (*op.operands, *op.results))


def _unroll(loop: ir.Operation, factor: int) -> None:
    """Appends `factor - 1` copies of the body."""
    view = Loop(loop)
    [dim], [counter], body, end = view.dims() or (), view.ivs, view.body, view.terminator
    carried: list[Any] = list(end.operands)
    with loop.location:
        with ir.InsertionPoint(loop):
            steps = [arith.constant(counter.type, dim.step * n) for n in range(1, factor + 1)]
        loop.operands[2] = steps.pop()
        with ir.InsertionPoint(end):
            for step in steps:
                values = dict(zip(loop.regions[0].blocks[0].arguments, [arith.addi(counter, step), *carried], strict=True))
                for op in body:
                    clone(op, values)
                carried = [values.get(v, v) for v in end.operands]
    for number, value in enumerate(carried):
        end.operands[number] = value
