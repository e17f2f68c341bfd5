"""air-linalg-name."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk
from allo_air.mlir import AnyOp, ir
from allo_air.passes.linalg._linalg_name import NAME


@dataclass(frozen=True)
class AirLinalgName(Pass):
    """Names each linalg operation that has no name yet, by its kind and a running number.

    Before:

        linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)

    After:

        linalg.matmul {__internal_linalg_transform__ = "linalg.matmul0"} ins(...) outs(...)
    """

    name = "air-linalg-name"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        number = 0
        for inner in [o.operation for o in walk(op)]:
            if inner.name.startswith("linalg.") and len(inner.regions) and NAME not in inner.attributes:
                inner.attributes[NAME] = ir.StringAttr.get(f"{inner.name}{number}")
                number += 1
