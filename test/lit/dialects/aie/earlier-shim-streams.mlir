// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: earlier shim streams.

aie.device(xcvc1902) {
  %t70 = aie.tile(7, 0)
  %lock1 = aie.lock(%t70, 1) { sym_name = "lk" , init = 0x1 : i32 }
  %buf = aie.external_buffer : memref<16xf32>
  %dma = aie.shim_dma(%t70)  {
      %d = aie.dma_start(MM2S, 0, ^bd0, ^e)
    ^bd0:
      aie.use_lock(%lock1, Acquire, 1)
      aie.dma_bd_packet(0x4, 0xD)
      aie.dma_bd(%buf : memref<16xf32>, 0, 16)
      aie.use_lock(%lock1, Release, 0)
      aie.next_bd ^bd0
    ^e:
      aie.end
  }
  %sw = aie.switchbox(%t70) {
    aie.connect<"South" : 3, "North" : 0>
    aie.connect< South : 7 , East : 1 >
  }
  %mux = aie.shim_mux(%t70) { aie.connect<DMA : 0, North : 3> }
  %t71 = aie.tile(7, 1)
  %core = aie.core(%t71) { aie.end }
}

// CHECK: aie.device(xcvc1902) {
// CHECK: %shim_noc_tile_7_0 = aie.tile(7, 0)
// CHECK: %lk = aie.lock(%shim_noc_tile_7_0, 1) {init = 1 : i32, sym_name = "lk"}
// CHECK: %0 = aie.external_buffer : memref<16xf32>
// CHECK: %shim_dma_7_0 = aie.shim_dma(%shim_noc_tile_7_0) {
// CHECK: %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
// CHECK: ^bb1:
// CHECK: aie.use_lock(%lk, Acquire, 1)
// CHECK: aie.dma_bd_packet(4, 13)
// CHECK: aie.dma_bd(%0 : memref<16xf32>, 0, 16)
// CHECK: aie.use_lock(%lk, Release, 0)
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb2:
// CHECK: aie.end
// CHECK: %switchbox_7_0 = aie.switchbox(%shim_noc_tile_7_0) {
// CHECK: aie.connect<South : 3, North : 0>
// CHECK: aie.connect<South : 7, East : 1>
// CHECK: %shim_mux_7_0 = aie.shim_mux(%shim_noc_tile_7_0) {
// CHECK: aie.connect<DMA : 0, North : 3>
// CHECK: %tile_7_1 = aie.tile(7, 1)
// CHECK: %core_7_1 = aie.core(%tile_7_1) {
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 1 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 7 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.lock"(%0) <{init = 1 : i32, lockID = 1 : i32, sym_name = "lk"}> : (index) -> index
// GENERIC: "aie.external_buffer"() : () -> memref<16xf32>
// GENERIC: "aie.shim_dma"(%0) ({
// GENERIC: "aie.dma_start"()[^bb1, ^bb2] <{channel_dir = 1 : i32, channel_index = 0 : i32, repeat_count = 0 : i32}> : () -> i1
// GENERIC: "aie.use_lock"(%1) <{action = 0 : i32, value = 1 : i32}> : (index) -> ()
// GENERIC: "aie.dma_bd_packet"() <{packet_id = 13 : i32, packet_type = 4 : i32}> : () -> ()
// GENERIC: "aie.dma_bd"(%2) <{len = 16 : i32, offset = 0 : i32}> : (memref<16xf32>) -> ()
// GENERIC: "aie.next_bd"()[^bb1] : () -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.switchbox"(%0) ({
// GENERIC: "aie.connect"() <{dest_bundle = 5 : i32, dest_channel = 0 : i32, source_bundle = 3 : i32, source_channel = 3 : i32}> : () -> ()
// GENERIC: "aie.shim_mux"(%0) ({
// GENERIC: "aie.core"(%6) <{stack_size = 1024 : i32}> ({
