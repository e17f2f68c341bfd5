"""air-herd-vectorize."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AirHerdVectorize(Pass):
    """Vectorizes the linalg operations in every herd, with the script `vectorize-herds`.

    Tile them to the length of a vector first. The options are those of mlir-air, where they have no effect either.

    Before:

        linalg.add ins(%a, %b : memref<16xf32, 2>, memref<16xf32, 2>) outs(%c : memref<16xf32, 2>)

    After:

        %0 = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<16xf32, 2>, vector<16xf32>
        %1 = vector.transfer_read %b[%c0], %z {in_bounds = [true]} : memref<16xf32, 2>, vector<16xf32>
        %2 = arith.addf %0, %1 : vector<16xf32>
        vector.transfer_write %2, %c[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32, 2>
    """

    name = "air-herd-vectorize"
    anchor = "func.func"
    works_on = ("air.*",)
    vectorize_nd_extract: bool = False
    """An option of mlir-air, without effect here."""
    flatten_1d_depthwise_conv: bool = False
    """An option of mlir-air, without effect here."""
    disable_transfer_permutation_map_lowering_patterns: bool = False
    """An option of mlir-air, without effect here."""
    disable_multi_reduction_to_contract_patterns: bool = False
    """An option of mlir-air, without effect here."""
    vectorize_padding: bool = False
    """An option of mlir-air, without effect here."""

    def run(self, op: AnyOp, /) -> None:
        schedule("vectorize-herds").run(op)
