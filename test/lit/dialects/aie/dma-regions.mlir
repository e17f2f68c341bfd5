// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: dma regions.

aie.device(npu1) {
  %t = aie.tile(1, 1)
  %buf = aie.buffer(%t) {sym_name = "in"}: memref<128xi32>
  %l = aie.lock(%t, 3)
  %mt = aie.memtile_dma(%t) {
    %0 = aie.dma(S2MM, 0) {loop = false, repeat_count = 10 : i32} [{
      aie.use_lock(%l, AcquireGreaterEqual)
      aie.dma_bd(%buf : memref<128xi32>)
      aie.use_lock(%l, Release)
    }, {
      aie.use_lock(%l, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<128xi32>, 4)
      aie.use_lock(%l, Release, 2)
    }]
    %1 = aie.dma(MM2S, 0) [{
      aie.use_lock(%l, AcquireGreaterEqual)
      aie.dma_bd(%buf : memref<128xi32>, 0, 128)
      aie.use_lock(%l, Release)
    }]
    aie.end
  }
}

// CHECK: aie.device(npu1) {
// CHECK: %mem_tile_1_1 = aie.tile(1, 1)
// CHECK: %in = aie.buffer(%mem_tile_1_1) {sym_name = "in"} : memref<128xi32>
// CHECK: %lock_1_1 = aie.lock(%mem_tile_1_1, 3)
// CHECK: %memtile_dma_1_1 = aie.memtile_dma(%mem_tile_1_1) {
// CHECK: %0 = aie.dma(S2MM, 0) {loop = false, repeat_count = 10 : i32} [{
// CHECK: aie.use_lock(%lock_1_1, AcquireGreaterEqual)
// CHECK: aie.dma_bd(%in : memref<128xi32>)
// CHECK: aie.use_lock(%lock_1_1, Release)
// CHECK: aie.use_lock(%lock_1_1, AcquireGreaterEqual, 1)
// CHECK: aie.dma_bd(%in : memref<128xi32>, 4)
// CHECK: aie.use_lock(%lock_1_1, Release, 2)
// CHECK: %1 = aie.dma(MM2S, 0) [{
// CHECK: aie.use_lock(%lock_1_1, AcquireGreaterEqual)
// CHECK: aie.dma_bd(%in : memref<128xi32>, 0, 128)
// CHECK: aie.use_lock(%lock_1_1, Release)
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 1 : i32, row = 1 : i32}> : () -> index
// GENERIC: "aie.buffer"(%0) <{sym_name = "in"}> : (index) -> memref<128xi32>
// GENERIC: "aie.lock"(%0) <{lockID = 3 : i32}> : (index) -> index
// GENERIC: "aie.memtile_dma"(%0) ({
// GENERIC: "aie.dma"() <{channel_dir = 0 : i32, channel_index = 0 : i32, loop = false, repeat_count = 10 : i32}> ({
// GENERIC: "aie.use_lock"(%2) <{action = 2 : i32}> : (index) -> ()
// GENERIC: "aie.dma_bd"(%1) <{offset = 0 : i32}> : (memref<128xi32>) -> ()
// GENERIC: "aie.end"() : () -> ()
