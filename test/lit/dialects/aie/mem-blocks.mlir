// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: mem blocks.

module @test {
  aie.device(npu1) {
  %t = aie.tile(1, 3)
  %buf = aie.buffer(%t) {sym_name = "in"}: memref<16xi32>
  %buf2 = aie.buffer(%t) { address = 0x400 : i32 , mem_bank = 1 : i32 }: memref<16xbf16>
  %l0 = aie.lock(%t, 0)
  %l1 = aie.lock(%t, 1){init = 1 : i32}
  %m = aie.mem(%t) {
      %srcDma = aie.dma_start("MM2S", 0, ^bd0, ^end)
    ^bd0:
      aie.use_lock(%l0, "AcquireGreaterEqual", 1)
      aie.dma_bd(%buf : memref<16xi32>, 0, 16)
      aie.use_lock(%l1, "Release", 1)
      aie.next_bd ^bd0
    ^end:
      aie.end
  }
  }
}

// CHECK: aie.device(npu1) {
// CHECK: %tile_1_3 = aie.tile(1, 3)
// CHECK: %in = aie.buffer(%tile_1_3) {sym_name = "in"} : memref<16xi32>
// CHECK: %buffer_1_3 = aie.buffer(%tile_1_3) {address = 1024 : i32, mem_bank = 1 : i32} : memref<16xbf16>
// CHECK: %lock_1_3 = aie.lock(%tile_1_3, 0)
// CHECK: %lock_1_3_0 = aie.lock(%tile_1_3, 1) {init = 1 : i32}
// CHECK: %mem_1_3 = aie.mem(%tile_1_3) {
// CHECK: %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
// CHECK: ^bb1:
// CHECK: aie.use_lock(%lock_1_3, AcquireGreaterEqual, 1)
// CHECK: aie.dma_bd(%in : memref<16xi32>, 0, 16)
// CHECK: aie.use_lock(%lock_1_3_0, Release, 1)
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb2:
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 1 : i32, row = 3 : i32}> : () -> index
// GENERIC: "aie.buffer"(%0) <{sym_name = "in"}> : (index) -> memref<16xi32>
// GENERIC: "aie.lock"(%0) <{lockID = 0 : i32}> : (index) -> index
// GENERIC: "aie.mem"(%0) ({
// GENERIC: "aie.dma_start"()[^bb1, ^bb2] <{channel_dir = 1 : i32, channel_index = 0 : i32, repeat_count = 0 : i32}> : () -> i1
// GENERIC: "aie.use_lock"(%3) <{action = 2 : i32, value = 1 : i32}> : (index) -> ()
// GENERIC: "aie.dma_bd"(%1) <{len = 16 : i32, offset = 0 : i32}> : (memref<16xi32>) -> ()
// GENERIC: "aie.next_bd"()[^bb1] : () -> ()
// GENERIC: "aie.end"() : () -> ()
