// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | filecheck %s --check-prefix=LOC
// RUN: allo-opt %s --mlir-print-local-scope | filecheck %s --check-prefix=LOCAL

// Aliases of attributes, types and locations, before and after their use; locations on operations and arguments.

#set = affine_set<()[s0] : (s0 - 1 == 0)>
!buf = memref<4x4xi32, affine_map<(d0, d1) -> (d1, d0)>, 1>
#here = loc("kernel.py":7:3)
module {
  func.func @f(%m: !buf loc("m.py":1:2), %c: index) {
    // LOC: air.wait_all loc(#[[HERE:.*]])
    air.wait_all loc(#here)
    // CHECK: air.herd tile (%arg2) in (%arg3=%arg1) args(%arg4=%arg0) : memref<4x4xi32, #map, 1>
    // LOCAL: memref<4x4xi32, affine_map<(d0, d1) -> (d1, d0)>, 1>
    air.herd tile (%x) in (%sx = %c) args(%a = %m) : !buf attributes {id = 3 : i32} {
      // CHECK-NEXT: affine.if #set()[%arg2] {
      affine.if #set()[%x] {
        // CHECK-NEXT: air.dma_memcpy_nd (%arg4[] [] [], %arg4[] [] [])
        air.dma_memcpy_nd (%a[] [] [], %a[] [] []) : (!buf, !buf) loc("dma.py":3:4)
        // LOC: loc("dma.py":3:4)
      } loc("if.py":1:1)
    } loc(fused["a", #here])
    return
  } loc(callsite("f" at #here))
}
