// RUN: allo-opt %s --aie-legalize-ctrl-packet | filecheck %s

// CHECK: {address = 30 : ui32, data = array<i32: 7, 8, 9, 10>, opcode = 0 : i32, stream_id = 2 : i32}
// CHECK-NEXT: {address = 8 : ui32, data = array<i32: 1, 2, 3, 4>, opcode = 0 : i32, stream_id = 1 : i32}
// CHECK-NEXT: {address = 24 : ui32, data = array<i32: 5, 6>, opcode = 0 : i32, stream_id = 1 : i32}
// CHECK-NEXT: {address = 64 : ui32, length = 4 : i32, opcode = 1 : i32, stream_id = 3 : i32}
// CHECK-NEXT: {address = 80 : ui32, length = 1 : i32, opcode = 1 : i32, stream_id = 3 : i32}
// CHECK-NEXT: }
aie.device(npu1) {
  aie.runtime_sequence @configure() {
    aiex.control_packet {address = 30 : ui32, data = array<i32: 7, 8, 9, 10>, opcode = 0 : i32, stream_id = 2 : i32}
    aiex.control_packet {address = 8 : ui32, data = array<i32: 1, 2, 3, 4, 5, 6>, opcode = 0 : i32, stream_id = 1 : i32}
    aiex.control_packet {address = 64 : ui32, length = 5 : i32, opcode = 1 : i32, stream_id = 3 : i32}
  }
}
