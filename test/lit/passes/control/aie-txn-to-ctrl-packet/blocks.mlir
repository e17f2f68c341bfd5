// RUN: allo-opt %s --aie-txn-to-ctrl-packet | filecheck %s
// RUN: allo-opt %s --aie-txn-to-ctrl-packet --aie-legalize-ctrl-packet | filecheck %s --check-prefix=LEGAL

// Blocks become packets, other writes stay; a constant may be written more than once.
// CHECK: aie.runtime_sequence @configure
// CHECK: aiex.npu.write32
// CHECK-NOT: blockwrite
// CHECK: aiex.control_packet {address = 2215936 : ui32, data = array<i32: 4194368, 0, 0, 0, -1, 7>, opcode = 0 : i32, stream_id = 0 : i32}
// CHECK: aiex.npu.maskwrite32
// CHECK-NOT: memref.get_global
// CHECK: aiex.control_packet {address = 4096 : ui32
// CHECK: aiex.control_packet {address = 8192 : ui32
// LEGAL: aiex.control_packet {address = 2215936 : ui32, data = array<i32: 4194368, 0, 0, 0>
// LEGAL: aiex.control_packet {address = 2215952 : ui32, data = array<i32: -1, 7>
aie.device(npu2) {
  memref.global "private" constant @data : memref<6xi32> = dense<[4194368, 0, 0, 0, -1, 7]>
  aie.runtime_sequence @configure() {
    aiex.npu.write32 {address = 2224144 : ui32, value = 3 : ui32}
    %0 = memref.get_global @data : memref<6xi32>
    aiex.npu.blockwrite(%0) {address = 2215936 : ui32} : memref<6xi32>
    aiex.npu.maskwrite32 {address = 2301952 : ui32, value = 1 : ui32, mask = 1 : ui32}
    %1 = memref.get_global @data : memref<6xi32>
    aiex.npu.blockwrite(%1) {address = 4096 : ui32} : memref<6xi32>
    aiex.npu.blockwrite(%1) {address = 8192 : ui32} : memref<6xi32>
  }
}
