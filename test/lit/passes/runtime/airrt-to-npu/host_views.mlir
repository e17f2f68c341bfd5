// RUN: allo-opt --syntax=2026-03 %s --verify-each=execute --pass-pipeline='builtin.module(air-dependency,air-dma-to-channel,canonicalize,cse,air-place-herds{num-rows=2 num-cols=2 row-anchor=2 col-anchor=0},air-to-aie{use-lock-race-condition-fix=true device=npu1_1col},air-to-std,airrt-to-npu{order=planned})' 2>&1 | filecheck %s

// Views and other operations of the host's that mean nothing to the device, down to the sequence; each pass is executed.

// CHECK-NOT: not executed
// CHECK: aie.runtime_sequence @f(%[[A:.*]]: memref<64xi32>, %[[B:.*]]: memref<2x64xi32>)
// CHECK: aie.dma_bd(%[[A]] : memref<64xi32>, 0, 64)
// CHECK: aie.dma_bd(%[[B]] : memref<2x64xi32>, 48, 64)
func.func @f(%a0: memref<64xi32>, %b0: memref<2x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.assume_alignment %a0, 64 : memref<64xi32>
  memref.assume_alignment %b0, 64 : memref<2x64xi32>
  %dyn = memref.cast %b0 : memref<2x64xi32> to memref<?x64xi32>
  %dim = memref.dim %dyn, %c0 : memref<?x64xi32>
  %dead = arith.muli %dim, %c1 : index
  %flat = memref.collapse_shape %b0 [[0, 1]] : memref<2x64xi32> into memref<128xi32>
  %b = memref.subview %flat[32] [64] [1] : memref<128xi32> to memref<64xi32, strided<[1], offset: 32>>
  %bb = memref.reinterpret_cast %b to offset: [48], sizes: [64], strides: [1] : memref<64xi32, strided<[1], offset: 32>> to memref<64xi32, strided<[1], offset: 48>>
  %tmp = memref.alloc() : memref<4xi32>
  air.launch (%l) in (%n=%c1) args(%x=%a, %y=%bb) : memref<64xi32>, memref<64xi32, strided<[1], offset: 48>> {
    %xx = memref.assume_alignment %x, 64 : memref<64xi32>
    air.segment @s args(%u=%xx, %v=%y) : memref<64xi32>, memref<64xi32, strided<[1], offset: 48>> {
      %one = arith.constant 1 : index
      %w = memref.alloc() : memref<64xi32, 1>
      memref.assume_alignment %u, 64 : memref<64xi32>
      air.dma_memcpy_nd (%w[] [] [], %u[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
      air.herd @h tile (%i, %j) in (%p=%one, %q=%one) args(%m=%w, %dst=%v) : memref<64xi32, 1>, memref<64xi32, strided<[1], offset: 48>> {
        %l1 = memref.alloc() : memref<64xi32, 2>
        %l1a = memref.assume_alignment %l1, 64 : memref<64xi32, 2>
        air.dma_memcpy_nd (%l1a[] [] [], %m[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
        air.dma_memcpy_nd (%dst[] [] [], %l1[] [] []) : (memref<64xi32, strided<[1], offset: 48>>, memref<64xi32, 2>)
        memref.dealloc %l1 : memref<64xi32, 2>
      }
      memref.dealloc %w : memref<64xi32, 1>
    }
  }
  memref.dealloc %tmp : memref<4xi32>
  return
}
