// RUN: allo-opt %s --syntax=2026-03 --airrt-to-npu | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --airrt-to-npu | filecheck %s --check-prefix=AUGUST

// March cuts large contiguous transfers as others, where their size has a factor that fits; today they stay one run.

// MARCH: aie.dma_bd(%arg0 : memref<65536xi32>, 0, 4096, [<size = 8, stride = 512>, <size = 512, stride = 1>])
// MARCH: aie.dma_bd(%arg0 : memref<65536xi32>, 0, 1031, [<size = 1031, stride = 1>])
// AUGUST: aie.dma_bd(%arg0 : memref<65536xi32> offset = 0 len = 4096 sizes = [4096] strides = [1])
// AUGUST: aie.dma_bd(%arg0 : memref<65536xi32> offset = 0 len = 1031 sizes = [1031] strides = [1])
module {
  aie.device(npu1) @seg {
    %shim = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%shim, MM2S, 0)
  }
  airrt.module_metadata {
    airrt.segment_metadata attributes {sym_name = "seg"} {
    }
  }
  func.func @f(%a: memref<65536xi32>) {
    %id = arith.constant 1 : i32
    %c0 = arith.constant 0 : i64
    %p = airrt.segment_load "seg" : i64
    airrt.dma_memcpy_nd(%id, %c0, %c0, %a[0, 0, 0, 0], [1, 1, 1, 4096], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>)
    airrt.dma_memcpy_nd(%id, %c0, %c0, %a[0, 0, 0, 0], [1, 1, 1, 1031], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>)
    return
  }
}
