"""air-rm-linalg-name."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk
from allo_air.mlir import AnyOp
from allo_air.passes.linalg._linalg_name import NAME


@dataclass(frozen=True)
class AirRmLinalgName(Pass):
    """Removes the names that `air-linalg-name` gave linalg operations.

    Before:

        linalg.matmul {__internal_linalg_transform__ = "linalg.matmul0"} ins(...) outs(...)

    After:

        linalg.matmul ins(...) outs(...)
    """

    name = "air-rm-linalg-name"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for inner in [o.operation for o in walk(op)]:
            if inner.name.startswith("linalg.") and NAME in inner.attributes:
                del inner.attributes[NAME]
