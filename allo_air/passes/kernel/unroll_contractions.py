"""unroll-contractions."""

from dataclasses import dataclass
from functools import partial

from allo_air.arch import core_of
from allo_air.core.cloning import unroll
from allo_air.core.loops import dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.blocking import UNROLLED
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._contracts import instructions


@dataclass(frozen=True)
class UnrollContractions(Pass):
    """Unrolls reductions of vector.contract completely, so that the loop around them becomes the innermost one.

    A core's compiler pipelines an innermost loop. With a short reduction inside, the loads and stores of accumulators overlap
    with nothing; without it, they overlap with the multiplications of other iterations. A reduction is unrolled if its trip
    count is constant and its contractions take at most `contractions` instructions, so that the code fits: a core's program
    memory has 1024 instructions of 16 bytes, for a body in each of two buffers, its prologue and its epilogue. A contraction
    is one instruction, except for AIE2p's bf16 of 8 x 8 x 4, which is 8. Others stay.

    Before:

        %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
          %a = vector.transfer_read %A[%i, %k, %c0, %c0]
          %n = vector.contract %a, %b, %acc
          scf.yield %n : vector<4x4xf32>
        }

    After:

        %a0 = vector.transfer_read %A[%i, %c0, %c0, %c0]
        %n = vector.contract %a0, %b0, %c
        %a1 = vector.transfer_read %A[%i, %c1, %c0, %c0]
        %r = vector.contract %a1, %b1, %n
    """

    name = "unroll-contractions"
    works_on = ("vector.contract",)

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    contractions: int = UNROLLED
    """Largest number of instructions in a reduction that is unrolled."""

    def run(self, op: AnyOp, /) -> None:
        core = core_of(device_option(self.name, self.device).arch)
        for loop in walk_named(op, "scf.for"):
            body, dim = body_of(loop), dim_of(loop)
            result = sum(instructions(o, core) for o in body if o.name == "vector.contract") * (dim.trips if dim else 0)
            if dim and 0 < result <= self.contractions and not any(len(o.regions) for o in body):
                with ir.InsertionPoint(loop), loop.location:
                    unroll(dim, partial(arith.constant, dim.iv.type))
