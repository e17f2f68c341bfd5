// RUN: allo-opt %s --aie-ctrl-packet-infer-tiles | filecheck %s

// Address 2 * 2^20 + 0x1F000 is of tile (0, 2), 2^25 + 2^20 of tile (1, 1); tiles that are there stay.

// CHECK-DAG: aie.tile(0, 0)
// CHECK-DAG: aie.tile(1, 0)
// CHECK-DAG: aie.tile(1, 1)
// CHECK-DAG: aie.tile(0, 2)
// CHECK-NOT: aie.tile
// CHECK: aie.runtime_sequence
aie.device(npu1) {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @configure() {
    aiex.control_packet {address = 2224128 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
    aiex.control_packet {address = 34603008 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
  }
}
