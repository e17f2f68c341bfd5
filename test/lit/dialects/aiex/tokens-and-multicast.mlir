// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIEX: tokens and multicast.

module {
 aie.device(xcvc1902) {
  %t0 = aie.tile(3, 3)
  %t1 = aie.tile(4, 4)
  %t70 = aie.tile(7, 0)
  %a = memref.alloc() : memref<512xi32>
  %b = memref.alloc() : memref<512xi32>
  aiex.token(0) {sym_name = "token0"}
  aiex.memcpy @token0(1, 2) (%t0 : <%a, 0, 512>, %t1 : <%b, 0, 512>) : (memref<512xi32>, memref<512xi32>)
  func.func @work() { aiex.useToken @token0(Acquire, 0)  aiex.useToken @token0("Release", 1) return }
  aiex.multicast(%t70, "DMA" : 0){
    aiex.multi_dest<%t0, "DMA" : 0>
    aiex.multi_dest<%t1, DMA : 0>
  }
  aiex.broadcast_packet(%t0, "DMA" : 0){
    aiex.bp_id(0x0){
      aiex.bp_dest<%t1, "DMA" : 0>
      aiex.bp_dest<%t0, DMA : 0>
    }
    aiex.bp_id(0x1) { aiex.bp_dest<%t1, DMA : 0> }
  }
 }
}

// CHECK: aie.device(xcvc1902) {
// CHECK: %tile_3_3 = aie.tile(3, 3)
// CHECK: %tile_4_4 = aie.tile(4, 4)
// CHECK: %shim_noc_tile_7_0 = aie.tile(7, 0)
// CHECK: aiex.token(0) {sym_name = "token0"}
// CHECK: aiex.memcpy @token0(1, 2) (%tile_3_3 : <%alloc, 0, 512>, %tile_4_4 : <%alloc_0, 0, 512>) : (memref<512xi32>, memref<512xi32>)
// CHECK: aiex.useToken @token0(Acquire, 0)
// CHECK: aiex.useToken @token0(Release, 1)
// CHECK: aiex.multicast(%shim_noc_tile_7_0, DMA : 0) {
// CHECK: aiex.multi_dest<%tile_3_3, DMA : 0>
// CHECK: aiex.multi_dest<%tile_4_4, DMA : 0>
// CHECK: aiex.broadcast_packet(%tile_3_3, DMA : 0) {
// CHECK: aiex.bp_id(0) {
// CHECK: aiex.bp_dest<%tile_4_4, DMA : 0>
// CHECK: aiex.bp_dest<%tile_3_3, DMA : 0>
// CHECK: aiex.bp_id(1) {
// CHECK: aiex.bp_dest<%tile_4_4, DMA : 0>

// GENERIC: "aie.device"() <{device = 1 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 3 : i32, row = 3 : i32}> : () -> index
// GENERIC: "aiex.token"() <{value = 0 : i32}> {sym_name = "token0"} : () -> ()
// GENERIC: "aiex.memcpy"(%0, %3, %1, %4) <{acqValue = 1 : i32, dstLen = 512 : i32, dstOffset = 0 : i32, relValue = 2 : i32, srcLen = 512 : i32, srcOffset = 0 : i32, tokenName = @token0}> : (index, memref<512xi32>, index, memref<512xi32>) -> ()
// GENERIC: "aiex.useToken"() <{action = 0 : i32, tokenName = @token0, value = 0 : i32}> : () -> ()
// GENERIC: "aiex.multicast"(%2) <{bundle = 1 : i32, channel = 0 : i32}> ({
// GENERIC: "aiex.multi_dest"(%0) <{bundle = 1 : i32, channel = 0 : i32}> : (index) -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aiex.broadcast_packet"(%0) <{bundle = 1 : i32, channel = 0 : i32}> ({
// GENERIC: "aiex.bp_id"() <{ID = 0 : i8}> ({
// GENERIC: "aiex.bp_dest"(%1) <{bundle = 1 : i32, channel = 0 : i32}> : (index) -> ()
