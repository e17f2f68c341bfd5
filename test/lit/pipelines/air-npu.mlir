// RUN: allo-opt %s --pipeline=air-npu -o %t.npu1.mlir && filecheck %s < %t.npu1.mlir
// RUN: allo-opt %s --pipeline=air-npu{device=npu2} | filecheck %s --check-prefix=NPU2

// A core that adds one, written in AIR, with its buffers in L2 and L1, becomes a device and its sequence.

// CHECK: aie.device(npu1)
// CHECK-DAG: aie.memtile_dma
// CHECK-DAG: aie.core
// CHECK-DAG: aie.flow
// CHECK: aie.runtime_sequence
// CHECK: aiex.
// NPU2: aie.device(npu2)
func.func @top(%a: memref<256xi32>, %b: memref<256xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<256xi32>, memref<256xi32> {
    air.segment @s args(%u=%x, %v=%y) : memref<256xi32>, memref<256xi32> {
      %c1 = arith.constant 1 : index
      %a2 = memref.alloc() : memref<256xi32, 1>
      %b2 = memref.alloc() : memref<256xi32, 1>
      air.dma_memcpy_nd (%a2[] [] [], %u[] [] []) : (memref<256xi32, 1>, memref<256xi32>)
      air.herd @core tile (%i, %j) in (%p=%c1, %q=%c1) args(%src=%a2, %dst=%b2) : memref<256xi32, 1>, memref<256xi32, 1> {
        %l = memref.alloc() : memref<256xi32, 2>
        air.dma_memcpy_nd (%l[] [] [], %src[] [] []) : (memref<256xi32, 2>, memref<256xi32, 1>)
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%l : memref<256xi32, 2>) {
        ^bb0(%o: i32):
          %one = arith.constant 1 : i32
          %w = arith.addi %o, %one : i32
          linalg.yield %w : i32
        }
        air.dma_memcpy_nd (%dst[] [] [], %l[] [] []) : (memref<256xi32, 1>, memref<256xi32, 2>)
        memref.dealloc %l : memref<256xi32, 2>
      }
      air.dma_memcpy_nd (%v[] [] [], %b2[] [] []) : (memref<256xi32>, memref<256xi32, 1>)
      memref.dealloc %a2 : memref<256xi32, 1>
      memref.dealloc %b2 : memref<256xi32, 1>
    }
  }
  return
}
