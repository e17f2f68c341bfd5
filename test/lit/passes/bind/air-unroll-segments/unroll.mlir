// RUN: allo-opt %s --air-unroll-segments | filecheck %s

// Each instance gets its ids; phases of one herd keep one name; a segment of one instance stays.

// CHECK-LABEL: @f
// CHECK:         %[[T:.*]] = air.segment @s async args(
// CHECK-NOT:     unroll
// CHECK:           air.herd @h
// CHECK:           air.herd @h
// CHECK:           arith.constant 1 : index
// CHECK:           air.herd @h_0
// CHECK:           air.herd @h_0
// CHECK:         air.wait_all [%[[T]]]
func.func @f(%a: memref<2x64xi32>) {
  air.launch () in () args(%x=%a) : memref<2x64xi32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %t = air.segment @s async unroll (%e, %g) in (%r=%c2, %q=%c1) args(%u=%x) : memref<2x64xi32> {
      %one = arith.constant 1 : index
      %m = memref.alloc() : memref<64xi32, 2>
      %0 = air.herd @h async tile (%i, %j) in (%p=%one, %n=%one) args(%k=%e, %src=%u, %l=%m) : index, memref<2x64xi32>, memref<64xi32, 2> {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        air.dma_memcpy_nd (%l[] [] [], %src[%k, %c0] [%k1, %k64] [%k64, %k1]) : (memref<64xi32, 2>, memref<2x64xi32>)
      }
      %1 = air.herd @h async [%0] tile (%i, %j) in (%p=%one, %n=%one) args(%k=%e, %dst=%u, %l=%m) : index, memref<2x64xi32>, memref<64xi32, 2> {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k64 = arith.constant 64 : index
        air.dma_memcpy_nd (%dst[%k, %c0] [%k1, %k64] [%k64, %k1], %l[] [] []) : (memref<2x64xi32>, memref<64xi32, 2>)
      }
      air.wait_all [%1]
      memref.dealloc %m : memref<64xi32, 2>
    }
    air.wait_all [%t]
  }
  return
}

// CHECK-LABEL: @single
// CHECK:         air.segment @only {
func.func @single() {
  air.launch () in () {
    air.segment @only {
    }
  }
  return
}
