"""A design that deadlocks: the simulator names the lock, the line, and what waits for what."""

import numpy as np

import allo_air

DESIGN = """
aie.device(npu1_1col) {
  %tile = aie.tile(0, 2)
  %full = aie.lock(%tile, 0) {init = 0 : i32, sym_name = "full"}
  %core = aie.core(%tile) {
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    aie.end
  }
  aie.runtime_sequence(%x: memref<16xi32>) {
    aiex.npu.sync {column = 0 : i32, row = 0 : i32, direction = 0 : i32, channel = 0 : i32, column_num = 1 : i32,
                   row_num = 1 : i32}
  }
}
"""

try:
    allo_air.simulate(DESIGN, np.zeros(16, np.int32))
except allo_air.AlloAirError as error:
    print(error)
    assert "full" in str(error)
    print("PASS")
