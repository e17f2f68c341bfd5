"""Computes `vector.contract` with the hardware's rounding: factors as the multiplier takes them, sums in the accumulator's
type.
"""

from __future__ import annotations

from allo_air.core.walking import walk_named
from allo_air.core_model.shapes import is_block_float
from allo_air.mlir import arith, ir
from allo_air.sim.cores.bfp16 import rounded


def lower_contracts(function: ir.Operation, arch: str) -> None:
    """Rounds the factors of contractions that `arch` computes in block floating point; other contractions stay exact."""
    for op in walk_named(function, "vector.contract"):
        if not is_block_float(op, arch):
            continue
        maps = [a.value for a in op.attributes["indexing_maps"]]
        result_dims = {e.position for e in maps[2].results}
        summed = [e.position for e in maps[0].results if e.position not in result_dims][
            -1
        ]  # the micro-tile's, where tiles are, too
        with ir.InsertionPoint(op), op.location:
            for i in (0, 1):
                along = [e.position for e in maps[i].results].index(summed)
                op.operands[i] = rounded(_extended(op.operands[i]), along)


def _extended(factor: ir.Value) -> ir.Value:
    """A factor in f32; conversion to blocks starts from f32."""
    kind = ir.VectorType.get(factor.type.shape, ir.F32Type.get())
    return factor if factor.type == kind else arith.extf(kind, factor)
