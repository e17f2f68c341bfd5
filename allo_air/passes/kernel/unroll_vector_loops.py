"""unroll-vector-loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.dedup import change_equal
from allo_air.core.loops import Loop, dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, walk_named
from allo_air.mlir import AnyOp, arith, ir

_PLAIN = ("vector.", "arith.", "math.", "memref.load", "memref.store", "affine.apply", "ub.poison")
"""Names, or their beginnings, of operations that only compute, load and store."""


@dataclass(frozen=True)
class UnrollVectorLoops(Pass):
    """Unrolls innermost loops over vectors, so that the latencies of several iterations overlap.

    A core's compiler does not pipeline loops from MLIR: each iteration waits for the last instruction of the previous one, and
    a jump takes six cycles. The factor is the largest divisor of the trip count for which the loop has at most `operations`
    operations, and at most `most`. Loops with contractions are those of `block-contractions` and stay.

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
    """Largest number of operations of an unrolled loop. A core's program memory holds 1024 instructions."""

    def run(self, op: AnyOp, /) -> None:
        if cores := walk_named(op, "aie.core"):
            change_equal(cores, self._change)
        else:
            self._change(op)

    def _change(self, root: AnyOp) -> bool:
        """Unrolls the loops in `root`; returns whether there was one."""
        factors = [(loop, _factor(loop, self.most, self.operations)) for loop in walk_named(root, "scf.for")]
        longer = [(loop, factor) for loop, factor in factors if factor > 1]
        for loop, factor in longer:
            _unroll(loop, factor)
        return bool(longer)


def _factor(loop: ir.Operation, most: int, operations: int) -> int:
    body, dim = [o for o in body_of(loop) if o.name != "scf.yield"], dim_of(loop)
    if dim is None or any(not o.name.startswith(_PLAIN) or o.name == "vector.contract" for o in body):
        return 1
    if not any(_is_of_vectors(o) for o in body):
        return 1
    count = sum(o.name not in ("arith.constant", "ub.poison") for o in body)
    return max((n for n in range(2, most + 1) if dim.trips % n == 0 and n * count <= operations), default=1)


def _is_of_vectors(op: ir.Operation) -> bool:
    return any(isinstance(v.type, ir.VectorType) for v in (*op.operands, *op.results))


def _unroll(loop: ir.Operation, factor: int) -> None:
    """Copies the body `factor - 1` times behind itself."""
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
