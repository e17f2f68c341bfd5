// RUN: allo-opt %s --air-dependency | filecheck %s

// The caller has no token to wait for, so the function that it calls waits before it returns.
// CHECK-LABEL: func.func private @work
// CHECK: %[[H:.*]] = air.herd async
// CHECK: air.wait_all [%[[H]]]
// CHECK-NEXT: return
func.func private @work(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%a) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    linalg.add ins(%l, %l : memref<8xi32, 2>, memref<8xi32, 2>) outs(%l : memref<8xi32, 2>)
    air.dma_memcpy_nd (%m[] [] [], %l[] [] []) : (memref<8xi32>, memref<8xi32, 2>)
    memref.dealloc %l : memref<8xi32, 2>
  }
  return
}
func.func @main(%a: memref<8xi32>) {
  call @work(%a) : (memref<8xi32>) -> ()
  call @work(%a) : (memref<8xi32>) -> ()
  return
}
