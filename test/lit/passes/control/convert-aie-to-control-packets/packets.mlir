// RUN: allo-opt %s --convert-aie-to-control-packets | filecheck %s

// Reset on and off is one packet; a block of six words is one of four and one of two.
// CHECK: aiex.control_packet {address = 2301952 : ui32, data = array<i32: 2>, opcode = 0 : i32, stream_id = 0 : i32}
// CHECK-NEXT: aiex.control_packet {address = 2224128 : ui32, data = array<i32: 0>
// CHECK: aiex.control_packet {address = 2215936 : ui32, data = array<i32: 4194368, 0, 0, 0>
// CHECK-NEXT: aiex.control_packet {address = 2215952 : ui32, data = array<i32: 0, 33554432>
// CHECK-NEXT: aiex.control_packet {address = 2219524 : ui32, data = array<i32: 0>
// CHECK-NEXT: aiex.control_packet {address = 2219520 : ui32, data = array<i32: 1>
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) {address = 1024 : i32, sym_name = "b"} : memref<64xi32>
  %c = aie.core(%t) { aie.end }
  %m = aie.mem(%t) {
    %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
  ^bd:
    aie.dma_bd(%b : memref<64xi32>) {bd_id = 0 : i32}
    aie.next_bd ^end
  ^end:
    aie.end
  }
}
