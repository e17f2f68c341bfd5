// The loop of a core that air-dependency gave tokens is an affine.for: it becomes a loop of scf without them.
// RUN: allo-opt %s -air-dependency -air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s

// CHECK-LABEL: aie.core
// CHECK: scf.for
// CHECK-NOT: air.
// CHECK: memref.load
// CHECK: memref.store
// CHECK-NOT: affine.for
module {
  air.channel @in [1, 1]
  air.channel @out [1, 1]
  func.func @f(%x: memref<16xi32>, %y: memref<16xi32>) {
    air.launch () in () args(%a = %x, %b = %y) : memref<16xi32>, memref<16xi32> {
      air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
      air.channel.get @out[] (%b[] [] []) : (memref<16xi32>)
      air.segment @s {
        %c1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
          %t = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[] (%t[] [] []) : (memref<16xi32, 2>)
          affine.for %i = 0 to 16 {
            %v = affine.load %t[%i] : memref<16xi32, 2>
            %w = arith.addi %v, %v : i32
            affine.store %w, %t[%i] : memref<16xi32, 2>
          }
          air.channel.put @out[] (%t[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %t : memref<16xi32, 2>
        }
      }
    }
    return
  }
}
