// RUN: allo-opt %s --air-label-scf-for-in-segment | filecheck %s

air.channel @c [1]

// CHECK: scf.for
// CHECK:   air.channel.put @c
// CHECK: } {unroll = 3 : i32}
// CHECK: scf.for
// CHECK:   air.herd
// CHECK:     scf.for
// CHECK-NOT: unroll
func.func @f() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %m = memref.alloc() : memref<8xi32, 1>
    scf.for %i = %c0 to %c3 step %c1 {
      air.channel.put @c[%c0] (%m[] [] []) : (memref<8xi32, 1>)
    }
    scf.for %i = %c0 to %c3 step %c1 {
      air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %l = memref.alloc() : memref<8xi32, 2>
        scf.for %j = %d0 to %d1 step %d1 {
          air.channel.get @c[%d0] (%l[] [] []) : (memref<8xi32, 2>)
        }
      }
    }
  }
  return
}
