"""aie-objectfifo-liveness."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes.check._replay import check_replay


@dataclass(frozen=True)
class AieObjectfifoLiveness(Pass):
    """Rejects broadcasts with too few objects for consumers that wait for one another; changes nothing.

    A broadcast continues when all its consumers have room. If one of them waits for the results of another, both also wait
    for each other through the broadcast, and can continue only while it has free objects. The bound: the largest
    `repeat_count` of the FIFO and of those linked to it, if it is at least 2, times the number of consumers, is at most twice
    the smallest depth. This is a bound, not a proof: the simulator runs the design. Run the pass before objectFifos are
    lowered.

    Before:

        aie.objectfifo @w(%mem, {%p, %q}, [2, 1, 1]) {repeat_count = 2 : i32} : !aie.objectfifo<memref<32xi32>>
        aie.objectfifo @h(%p, {%q}, 1 : i32) : !aie.objectfifo<memref<32xi32>>

    After: the same IR, or

        error: 'aie.objectfifo' op sends each object 2 times to 2 consumers, and one of these waits for another through '@h';
            its smallest end holds 1 object, but at least 2 are needed so that the others can continue: increase its depth, or
            send the parts by separate objectFifos
    """

    name = "aie-objectfifo-liveness"
    anchor = "aie.device"
    works_on = ("aie.*",)

    def run(self, op: ir.Operation, /) -> None:
        check_replay(op)
