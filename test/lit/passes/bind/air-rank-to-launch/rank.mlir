// RUN: allo-opt %s --allow-unregistered-dialect --air-rank-to-launch | filecheck %s

// CHECK-LABEL: func.func @f(%arg0: memref<2x8xi32>, %arg1: memref<2x8xi32>)
// CHECK-NOT:     air.rank
// CHECK:         scf.for %[[R:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:           %[[T:.*]] = air.launch async {{.*}} args(%{{.*}}=%[[R]], %{{.*}}=%arg0, %{{.*}}=%arg1)
// CHECK:           air.wait_all [%[[T]]]
// CHECK:         %[[D:.*]] = air.wait_all async
// CHECK:         air.wait_all [%[[D]]]
func.func @f(%a: memref<2x8xi32>, %b: memref<2x8xi32>) {
  %c2 = arith.constant 2 : index
  %t = air.rank async (%r) in (%n=%c2) args(%x=%a, %y=%b) : memref<2x8xi32>, memref<2x8xi32> {
    %c1 = arith.constant 1 : index
    %s = air.launch async (%i) in (%m=%c1) args(%k=%r, %p=%x, %q=%y) : index, memref<2x8xi32>, memref<2x8xi32> {
      air.segment @s args(%l=%k, %u=%p, %v=%q) : index, memref<2x8xi32>, memref<2x8xi32> {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d8 = arith.constant 8 : index
        %m1 = memref.alloc() : memref<8xi32, 1>
        air.dma_memcpy_nd (%m1[] [] [], %u[%l, %d0] [%d1, %d8] [%d8, %d1]) : (memref<8xi32, 1>, memref<2x8xi32>)
        air.dma_memcpy_nd (%v[%l, %d0] [%d1, %d8] [%d8, %d1], %m1[] [] []) : (memref<2x8xi32>, memref<8xi32, 1>)
        memref.dealloc %m1 : memref<8xi32, 1>
      }
    }
  }
  air.wait_all [%t]
  return
}

// Without dimensions there is one instance; its dependences come first.

// CHECK-LABEL: func.func @one
// CHECK:         %[[E:.*]] = air.wait_all async
// CHECK-NEXT:    air.wait_all [%[[E]]]
// CHECK:         "use"
// CHECK-NEXT:    air.wait_all async
func.func @one() {
  %e = air.wait_all async
  %t = air.rank async [%e] () in () {
    "use"() : () -> ()
  }
  return
}

// A universe goes with its ranks.

// CHECK-LABEL: func.func @universe
// CHECK-NOT: air.universe
// CHECK: scf.for
// CHECK: return
func.func @universe() {
  %c2 = arith.constant 2 : index
  %u = air.universe.alloc(%c2)
  air.rank @all universe(%u) (%r) in (%n=%c2) {
    "use"(%r) : (index) -> ()
  }
  return
}
