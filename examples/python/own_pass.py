"""A pass of your own: it runs by name next to the library's passes, with options and lit-style errors."""

from dataclasses import dataclass

from allo_air import asm
from allo_air.core import driver
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import parse
from allo_air.core.registry import Registry
from allo_air.core.walking import walk
from allo_air.dialects.air import HerdOp
from allo_air.mlir import ir, new_context


@dataclass(frozen=True)
class CountHerds(Pass):
    """Writes the number of herds on the module.

    Before:

        module { air.herd ... }

    After:

        module attributes {herds = 1 : i64} { air.herd ... }
    """

    name = "count-herds"
    anchor = "builtin.module"

    def run(self, op: ir.Operation, /) -> None:
        herds = len(walk(op, HerdOp))
        op.attributes["herds"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, op.context), herds)


SOURCE = """
func.func @f(%x: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    memref.store %zero, %x[%i, %j] : memref<8x8xf32>
    scf.reduce
  }
  return
}
"""

if __name__ == "__main__":
    with new_context():
        module = asm.read(SOURCE)
        passes = Registry(load=[__file__])  # `allo-opt --load=own_pass.py` does the same
        pipeline = "builtin.module(air-par-to-herd,count-herds)"
        driver.run(parse(pipeline, passes), module)
        text = asm.write(module)
    assert "herds = 1" in text
    print(text.splitlines()[0])
    print("PASS")
