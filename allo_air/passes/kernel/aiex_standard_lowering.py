"""aiex-standard-lowering."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AiexStandardLowering(Pass):
    """Drops the operations of runtime sequences from functions, which become code of cores: none of them is.

    Before:

        func.func @sequence(%a: memref<64xi32>) {
          aiex.npu.dma_wait {symbol = @out}
          return
        }

    After:

        func.func @sequence(%a: memref<64xi32>) {
          return
        }
    """

    name = "aiex-standard-lowering"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for found in reversed(walk_pre_order(op)):
            inside = found.parent is not None and found.parent.name == "func.func"
            if inside and found.name.startswith("aiex.npu.") and not len(found.results):
                found.erase()
