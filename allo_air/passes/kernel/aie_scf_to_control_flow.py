"""aie-scf-to-control-flow."""

from dataclasses import dataclass
from itertools import pairwise

from allo_air.core.pass_ import Pass
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import walk_named
from allo_air.mlir import ir

SEQUENCE = "aie.runtime_sequence"


@dataclass(frozen=True)
class AieScfToControlFlow(Pass):
    """Lowers the loops and branches of cores and functions to blocks and jumps; those of runtime sequences stay.

    A core's program must have this form before it is translated. Loops of a runtime sequence are needed later: they are
    unrolled, or become loops of the host.

    Before:

        %core = aie.core(%tile) {
          scf.for %i = %c0 to %c8 step %c1 { "use"(%i) }
          aie.end
        }

    After:

        %core = aie.core(%tile) {
          cf.br ^bb1(%c0 : index)
        ^bb1(%0: index):
          %1 = arith.cmpi slt, %0, %c8 : index
          cf.cond_br %1, ^bb2, ^bb3
        ^bb2:
          "use"(%0)
          %2 = arith.addi %0, %c1 : index
          cf.br ^bb1(%2 : index)
        ^bb3:
          aie.end
        }
    """

    name = "aie-scf-to-control-flow"
    anchor = "builtin.module"

    def run(self, op: ir.Operation, /) -> None:
        places = []
        for sequence in walk_named(op, SEQUENCE):
            block = sequence.block
            following = next((o for before, o in _consecutive_ops(block) if before == sequence), None)
            places.append((sequence, block, following))
        for sequence, *_ in places:
            sequence.detach_from_parent()
        try:
            run_upstream(op, "convert-scf-to-cf")
        finally:
            for sequence, block, following in reversed(places):
                point = ir.InsertionPoint(following) if following is not None else ir.InsertionPoint(block)
                point.insert(sequence)


def _consecutive_ops(block: ir.Block) -> list[tuple[ir.Operation, ir.Operation]]:
    """Consecutive operations of a block."""
    ops = [view.operation for view in block.operations]
    return list(pairwise(ops))
