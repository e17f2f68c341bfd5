// RUN: allo-opt %s --air-herd-vectorize | filecheck %s
// RUN: allo-opt %s --air-herd-vectorize="vectorize-nd-extract=true vectorize-padding=true" | filecheck %s

// CHECK: air.herd @h
// CHECK:   vector.transfer_read {{.*}} : memref<16xf32, 2>, vector<16xf32>
// CHECK:   arith.addf {{.*}} : vector<16xf32>
// CHECK:   vector.transfer_write
// CHECK-NOT: linalg.add
func.func @f(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%p=%a, %q=%b, %r=%c) : memref<16xf32>, memref<16xf32>, memref<16xf32> {
    %l = memref.alloc() : memref<16xf32, 2>
    %m = memref.alloc() : memref<16xf32, 2>
    air.dma_memcpy_nd (%l[] [] [], %p[] [] []) : (memref<16xf32, 2>, memref<16xf32>)
    air.dma_memcpy_nd (%m[] [] [], %q[] [] []) : (memref<16xf32, 2>, memref<16xf32>)
    linalg.add ins(%l, %m : memref<16xf32, 2>, memref<16xf32, 2>) outs(%m : memref<16xf32, 2>)
    air.dma_memcpy_nd (%r[] [] [], %m[] [] []) : (memref<16xf32>, memref<16xf32, 2>)
    memref.dealloc %l : memref<16xf32, 2>
    memref.dealloc %m : memref<16xf32, 2>
  }
  return
}
