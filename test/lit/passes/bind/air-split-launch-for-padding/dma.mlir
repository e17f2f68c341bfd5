// RUN: allo-opt %s --air-split-launch-for-padding | filecheck %s

// A DMA that brings an overhanging block into L2 is cut at both ends; the one out of L2 adds the zeros.

// CHECK-LABEL: func.func @f
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, %c0{{[_0-9]*}}] [%c32{{[_0-9]*}}, %c8{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c1{{[_0-9]*}}])
// CHECK: air.segment @s_m_boundary
// CHECK: air.dma_memcpy_nd (%{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c8{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c1{{[_0-9]*}}], %{{.*}}[%{{.*}}, %c0{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c8{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c1{{[_0-9]*}}])
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c8{{[_0-9]*}}] [%c8{{[_0-9]*}}, %c1{{[_0-9]*}}]) {pad_after = array<i32: 24, 0>
func.func @f(%x: memref<40x8xi32>, %y: memref<8x32xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%m=%c2, %n=%c2) args(%a=%x, %b=%y) : memref<40x8xi32>, memref<8x32xi32> attributes {air.actual_sizes = array<i64: 40, 32, 1>} {
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c16 : index
    air.segment @s args(%sa=%a, %sr=%r) : memref<40x8xi32>, index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %e32 = arith.constant 32 : index
      %l = memref.alloc() : memref<32x8xi32, 1>
      air.dma_memcpy_nd (%l[] [] [], %sa[%sr, %c0] [%e32, %c8] [%c8, %c1]) : (memref<32x8xi32, 1>, memref<40x8xi32>)
      air.herd @h tile (%p, %q) in (%u=%c1, %v=%c1) args(%hl=%l) : memref<32x8xi32, 1> {
        %t = memref.alloc() : memref<32x8xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %hl[] [] []) : (memref<32x8xi32, 2>, memref<32x8xi32, 1>)
        memref.dealloc %t : memref<32x8xi32, 2>
      }
    }
  }
  return
}
