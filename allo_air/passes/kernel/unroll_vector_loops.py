"""unroll-vector-loops."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.dedup import change_equal
from allo_air.core.loops import Dim, Loop, dim_of
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, enclosing, walk_named, walk_pre_order
from allo_air.dialects.declarations import device_of
from allo_air.mlir import AnyOp, arith, ir

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
    doubled as long as the core has at most `core_operations`. If the code of a core would not fit into its program memory, the
    factors are smaller. Functions that cores call are unrolled after these, within the room that is left. Loops with
    contractions are those of `block-contractions` and stay.

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

    most: int = 8
    """Largest factor."""
    operations: int = 128
    """Largest number of operations of an unrolled loop."""
    core_operations: int = 640
    """Largest number of operations of a core with doubled loops. A core's program memory holds 1024 instructions."""

    def run(self, op: AnyOp, /) -> None:
        cores = walk_named(op, "aie.core")
        if not cores:
            self._change(op, inf)
        change_equal(cores, lambda core: self._change(core, _room(core)))
        rooms: dict[ir.Operation, float] = {}
        for core in walk_named(op, "aie.core"):
            functions = _called(core)
            room = _room(core) + sum(map(_operations, functions)) - _operations(core) if functions else 0
            for function in functions:
                rooms[function] = min(rooms.get(function, inf), _operations(function) + room / len(functions))
        for function, room in rooms.items():
            self._change(function, room)

    def _change(self, root: AnyOp, room: float) -> bool:
        """Unrolls the loops in `root`, which may have `room` operations; returns whether it unrolled any."""
        loops = [(loop, dim) for loop in walk_named(root, "scf.for") if (dim := dim_of(loop)) and _can_unroll(loop)]
        own = _operations(root)
        counts = [sum(map(_size, body_of(loop))) for loop, _ in loops]
        most, added, factors = self.most, 0, [1] * len(loops)
        while most > 1:
            factors = [_factor(dim.trips, n, most, self.operations) for (_, dim), n in zip(loops, counts, strict=True)]
            added = sum(_added(dim, f, n) for (_, dim), f, n in zip(loops, factors, counts, strict=True))
            if own + added <= room:
                break
            most, added, factors = most // 2, 0, [1] * len(loops)
        rest = self.core_operations - own - added
        for place, ((_, dim), count) in enumerate(zip(loops, counts, strict=True)):
            if factors[place] == 1 < dim.trips and (added := _added(dim, 2, count)) <= rest:
                rest, factors[place] = rest - added, 2
        for (loop, dim), factor in zip(loops, factors, strict=True):
            if factor > 1:
                _split(loop, dim, factor)
                _unroll(loop, factor)
        return max(factors, default=1) > 1


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


def _factor(trips: int, count: int, most: int, operations: int) -> int:
    """The largest divisor of `trips` within the limits, else the number with the fewest iterations; 1 if there is none."""
    within = [n for n in range(2, min(most, trips) + 1) if (n + trips % n) * count <= operations]
    divisors = [n for n in within if trips % n == 0]
    return max(divisors) if divisors else min(within, key=lambda n: trips // n + trips % n, default=1)


def _added(dim: Dim, factor: int, count: int) -> int:
    """The operations that unrolling adds to a loop of `count`."""
    return (factor - 1 + (dim.trips % factor > 0)) * count


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
