"""aiex-standard-lowering."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp


@dataclass(frozen=True)
class AiexStandardLowering(Pass):
    """Removes the operations of runtime sequences from functions, which become code of cores.

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
        for item in reversed(walk_pre_order(op)):
            inside = item.parent is not None and item.parent.name == "func.func"
            if inside and item.name.startswith("aiex.npu.") and not len(item.results):
                item.erase()
