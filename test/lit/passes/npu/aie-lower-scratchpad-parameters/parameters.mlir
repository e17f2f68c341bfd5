// RUN: allo-opt %s --aie-lower-scratchpad-parameters=output-params-file=%t.json | filecheck %s
// RUN: cat %t.json | filecheck %s --check-prefix=FILE

// A core reads @n, and @o is the offset of a BD; @given keeps its index, and nothing uses it.

// CHECK: aiex.scratchpad_parameter @n : i8 {kind = 0 : i32, state_table_idx = 0 : ui8}
// CHECK: aiex.scratchpad_parameter @given : i32 {kind = 0 : i32, state_table_idx = 1 : ui8}
// CHECK: aiex.scratchpad_parameter @o : i32 {kind = 1 : i32, state_table_idx = 2 : ui8}
// CHECK: [[BUFFER:%.*]] = aie.buffer({{.*}}) {sym_name = "n_0_2"} : memref<2xi32>
// CHECK: [[LOCK:%.*]] = aie.lock({{.*}}) {init = 0 : i32}
// CHECK: aie.core
// CHECK: aie.use_lock([[LOCK]], AcquireGreaterEqual
// CHECK: [[WORD:%.*]] = memref.load [[BUFFER]]
// CHECK: [[VALUE:%.*]] = arith.shrsi [[WORD]]
// CHECK: arith.trunci [[VALUE]] : i32 to i8
// CHECK: aiex.npu.create_scratchpad {size = 12 : ui32}
// CHECK: aiex.npu.write32({{.*}}) {buffer = @n_0_2}
// CHECK: aiex.npu.update_from_scratchpad<mul> {address = 0 : ui32, buffer = @n_0_2, func_arg = 4 : ui32, state_table_idx = 0 : ui8}
// CHECK: aiex.set_lock([[LOCK]], 1)
// CHECK: aiex.npu.dma_memcpy_nd
// CHECK-SAME: offset_state_table_idx = 2 : ui8

// FILE: "n"
// FILE: "state_table_idx": 0
// FILE: "kind": "core"
// FILE: "type": "i8"
// FILE: "o"
// FILE: "kind": "addr"
module {
  aiex.scratchpad_parameter @n : i8
  aiex.scratchpad_parameter @given : i32 {state_table_idx = 1 : ui8}
  aiex.scratchpad_parameter @o : i32
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4xi8>
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      %v = aiex.read_scratchpad_parameter @n : i8
      memref.store %v, %b[%c0] : memref<4xi8>
      aie.end
    }
    aie.runtime_sequence(%a: memref<64xi32>) {
      aiex.sync_scratchpad_parameters_from_host
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @in, offset_parameter = @o} : memref<64xi32>
    }
  }
}
