// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: earlier shim dma.

aie.device(xcvc1902) {
  %t70 = aie.tile(7, 0)
  %buffer = aie.external_buffer {sym_name = "b"} : memref<16 x f32>
  %buffer2 = aie.external_buffer {address = 0x2000 : i64} : memref<16xf32>
  %lock1 = aie.lock(%t70, 1)
  %dma = aie.shim_dma(%t70)  {
      aie.dma_start(MM2S, 0, ^bd0, ^end)
    ^bd0:
      aie.use_lock(%lock1, Acquire, 1)
      aie.dma_bd(%buffer : memref<16 x f32>, 0, 16)
      aie.use_lock(%lock1, Release, 0)
      aie.next_bd ^bd0
    ^end:
      aie.end
  }
}

// CHECK: aie.device(xcvc1902) {
// CHECK: %shim_noc_tile_7_0 = aie.tile(7, 0)
// CHECK: %b = aie.external_buffer {sym_name = "b"} : memref<16xf32>
// CHECK: %0 = aie.external_buffer {address = 8192 : i64} : memref<16xf32>
// CHECK: %lock_7_0 = aie.lock(%shim_noc_tile_7_0, 1)
// CHECK: %shim_dma_7_0 = aie.shim_dma(%shim_noc_tile_7_0) {
// CHECK: %1 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
// CHECK: ^bb1:
// CHECK: aie.use_lock(%lock_7_0, Acquire, 1)
// CHECK: aie.dma_bd(%b : memref<16xf32>, 0, 16)
// CHECK: aie.use_lock(%lock_7_0, Release, 0)
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb2:
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 1 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 7 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.external_buffer"() <{sym_name = "b"}> : () -> memref<16xf32>
// GENERIC: "aie.lock"(%0) <{lockID = 1 : i32}> : (index) -> index
// GENERIC: "aie.shim_dma"(%0) ({
// GENERIC: "aie.dma_start"()[^bb1, ^bb2] <{channel_dir = 1 : i32, channel_index = 0 : i32, repeat_count = 0 : i32}> : () -> i1
// GENERIC: "aie.use_lock"(%3) <{action = 0 : i32, value = 1 : i32}> : (index) -> ()
// GENERIC: "aie.dma_bd"(%1) <{len = 16 : i32, offset = 0 : i32}> : (memref<16xf32>) -> ()
// GENERIC: "aie.next_bd"()[^bb1] : () -> ()
// GENERIC: "aie.end"() : () -> ()
