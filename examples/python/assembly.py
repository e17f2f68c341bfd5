"""The peers' assembly: a design in the syntax of 2024 is read, verified and printed as of August and of March 2026."""

from allo_air import asm
from allo_air.mlir import new_context

SOURCE = """
aie.device(ipu) {
  %tile = aie.tile(0, 2)
  %lock = aie.lock(%tile, 0) {init = 1 : i32}
  %core = aie.core(%tile) {
    %one = arith.constant 1 : i32
    aie.use_lock(%lock, AcquireGreaterEqual, %one)
    aie.end
  }
}
"""

with new_context():
    module = asm.read(SOURCE, "design.mlir")
    asm.verify(module.operation)
    august = asm.write(module)
    march = asm.write(module, syntax="2026-03")
    assert asm.write(asm.read(march)) == august, "both states are one form in memory"
print(august)
assert "aie.use_lock(%lock_0_2, AcquireGreaterEqual, %c1_i32)" in august
assert "aie.use_lock(%lock_0_2, AcquireGreaterEqual, 1)" in march
print("PASS")
