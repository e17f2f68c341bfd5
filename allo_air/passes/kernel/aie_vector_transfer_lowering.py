"""aie-vector-transfer-lowering."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.schedule import apply, parse_text
from allo_air.errors import OptionError
from allo_air.mlir import ir
from allo_air.passes._ir.core_constants import keep_constants_in_cores

_SCRIPT = """module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @lower(%op: !transform.any_op {{transform.readonly}}) {{
    transform.apply_patterns to %op {{
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = {rank}
    }} : !transform.any_op
    transform.yield
  }}
}}"""


@dataclass(frozen=True)
class AieVectorTransferLowering(Pass):
    """Lowers vector transfers to loads and stores if memory has the elements in the order of the vector.

    Before:

        %v = vector.transfer_read %b[%i], %p {in_bounds = [true]} : memref<64xi32>, vector<16xi32>

    After:

        %v = vector.load %b[%i] : memref<64xi32>, vector<16xi32>
    """

    name = "aie-vector-transfer-lowering"
    anchor = "aie.device"
    max_transfer_rank: int = 1
    """Largest rank of a transfer that becomes a load or store."""

    def run(self, op: ir.Operation, /) -> None:
        if self.max_transfer_rank < 0:
            raise OptionError(f"pass '{self.name}': option 'max-transfer-rank' is {self.max_transfer_rank}, expected 0 or more")
        apply(parse_text(_SCRIPT.format(rank=self.max_transfer_rank), self.name), "lower", [], op)
        keep_constants_in_cores(op)
