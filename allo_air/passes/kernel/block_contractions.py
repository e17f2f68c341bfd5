"""block-contractions."""

from dataclasses import dataclass
from functools import partial

from allo_air.arch import Core, core_of
from allo_air.core.cloning import unroll
from allo_air.core.loops import dim_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, walk_named
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.blocking import UNROLLED
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._hoist_conversions import hoist_conversions
from allo_air.passes.kernel._jam import is_short, jam


@dataclass(frozen=True)
class BlockContractions(Pass):
    """Blocks reductions of vector.contract in registers: several accumulators at once share the operands that they load.

    First, the two loops around a reduction, or the one that is there, are unrolled and jammed. Then reductions of few
    contractions are unrolled. The loop around such a reduction becomes the innermost one, which a core's compiler pipelines,
    so that loads and stores of accumulators overlap with multiplications of other iterations. Finally, conversions of loop-
    invariant factors to block floating point move out of the innermost loop.

    Before:

        scf.for %i = %c0 to %c16 step %c1 {
          scf.for %j = %c0 to %c32 step %c1 {
            %c = vector.transfer_read %C[%j, %i, %c0, %c0]
            %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %c) {
              %n = vector.contract %a, %b, %acc
              scf.yield %n
            }
            vector.transfer_write %r, %C[%j, %i, %c0, %c0]

    After:

        scf.for %i = %c0 to %c16 step %c2 {
          scf.for %j = %c0 to %c32 step %c4 {
            // eight reads of %C
            // two reads of A, four of B, eight contractions, for each of the two iterations of the reduction
            // eight writes of %C
    """

    name = "block-contractions"
    works_on = ("vector.contract",)

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    contractions: int = UNROLLED
    """Largest number of instructions in a reduction that is unrolled."""

    def run(self, op: AnyOp, /) -> None:
        core = core_of(device_option(self.name, self.device).arch)
        jam(op, core, self.contractions)
        for loop in walk_named(op, "scf.for"):
            _unroll(loop, core, self.contractions)
        hoist_conversions(op, core)


def _unroll(loop: ir.Operation, core: Core, contractions: int) -> None:
    """Unrolls a reduction with a constant trip count and at most `contractions` instructions, so that the code fits.

    A core's program memory holds 1024 instructions of 16 bytes, for the loop body of each of two buffers, with prologue and
    epilogue. A contraction is one instruction, except for AIE2p's bf16 of 8 x 8 x 4, which is 8.
    """
    body, dim = body_of(loop), dim_of(loop)
    if dim and is_short(loop, core, contractions) and not any(len(o.regions) for o in body):
        with ir.InsertionPoint(loop), loop.location:
            unroll(dim, partial(arith.constant, dim.iv.type))
