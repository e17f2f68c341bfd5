// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel | filecheck %s

// A put of L2 in a herd is the memtile's: it moves in front of the herd, once for each core, and in a loop as often.

// CHECK-LABEL: @f
// CHECK:         %[[M:.*]] = memref.alloc() : memref<2x8xi32, 1>
// CHECK:         scf.parallel (%[[X:.*]], %{{.*}}) =
// CHECK:           scf.for
// CHECK:             air.channel.put async {{.*}} @self[%[[X]], %{{.*}}] (%[[M]][%[[X]], %{{.*}}]
// CHECK:         air.herd
// CHECK-NOT:       air.channel.put
// CHECK:           air.channel.get @self
air.channel @self [2, 1]
func.func @f() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<2x8xi32, 1>
      air.herd @h tile (%i, %j) in (%p=%c2, %q=%c1) args(%w=%m) : memref<2x8xi32, 1> {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k3 = arith.constant 3 : index
        %k8 = arith.constant 8 : index
        scf.for %n = %k0 to %k3 step %k1 {
          %l = memref.alloc() : memref<8xi32, 2>
          air.channel.put @self[%i, %j] (%w[%i, %k0] [%k1, %k8] [%k8, %k1]) : (memref<2x8xi32, 1>)
          air.channel.get @self[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %l : memref<8xi32, 2>
        }
      }
      memref.dealloc %m : memref<2x8xi32, 1>
    }
  }
  return
}
