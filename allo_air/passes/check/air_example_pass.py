"""air-example-pass."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AirExamplePass(Pass):
    """Changes nothing: mlir-air's template of a pass. docs/writing-a-pass.md shows a pass of this library.

    Before:

        func.func @f() { return }

    After:

        func.func @f() { return }
    """

    name = "air-example-pass"
    anchor = "builtin.module"
    works_on = ()

    def run(self, op: AnyOp, /) -> None:
        return
