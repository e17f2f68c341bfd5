"""vectorize-contractions."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import core_of
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.device_option import device_option

_MARK = "allo.mac"


@dataclass(frozen=True)
class VectorizeContractions(Pass):
    """Turns packed contractions for whose micro-tile the cores have an instruction into loops around one `vector.contract`.

    Others, of f32 and i32 for example, are left for other vectors or scalar loops. The loops are those of script
    `vectorize-gemm`.

    Before (for each block of the packed result):

        linalg.generic ... // (i, j, k, m, n, p), 4 x 4 x 8 in (m, n, p)
            ins(%a, %b : memref<8x4x4x8xbf16, 2>, memref<8x4x8x4xbf16, 2>) outs(%c : memref<4x4x4x4xf32, 2>)

    After:

        scf.for %k = ... iter_args(%acc = ...) -> (vector<4x4xf32>) {
          vector.contract ... : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        }
    """

    name = "vectorize-contractions"

    device: str = "npu1"

    def run(self, op: AnyOp, /) -> None:
        arch = device_option(self.name, self.device).arch
        found = [generic for generic in walk_named(op, "linalg.generic") if _has_instruction(generic, arch)]
        for generic in found:
            generic.attributes[_MARK] = ir.UnitAttr.get()
        if found:
            schedule("vectorize-gemm").run(op)


def _has_instruction(generic: ir.Operation, arch: str) -> bool:
    """Whether `generic` is a packed matrix multiplication in L1 of the micro-tile of one of the cores' instructions."""
    kinds = ["reduction" in str(kind) for kind in generic.attributes["iterator_types"]]
    if kinds != [False, False, True] * 2 or len(generic.operands) != 3:
        return False
    a, b, c = (v.type for v in generic.operands)
    if a.element_type != b.element_type or not all(isinstance(t, ir.MemRefType) for t in (a, b, c)):
        return False
    indexing = generic.attributes["indexing_maps"][0].value, generic.attributes["indexing_maps"][2].value
    of_a, of_c = ([ir.AffineDimExpr(e).position for e in m.results] for m in indexing)
    extents = dict(zip(of_c, c.shape, strict=True)) | dict(zip(of_a, a.shape, strict=True))
    shape = extents[3], extents[5], extents[4]
    return core_of(arch).contraction(str(a.element_type), shape) is not None
