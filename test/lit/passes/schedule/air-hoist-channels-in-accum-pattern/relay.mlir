// RUN: allo-opt %s --air-hoist-channels-in-accum-pattern | filecheck %s

// A core hands on what a memtile puts in a loop, and the host gets outside of any: the loops stay.

// CHECK:         air.segment
// CHECK:           scf.for
// CHECK:             air.channel.put @mid
// CHECK:           air.herd
// CHECK:             scf.for
// CHECK:               air.channel.get @mid
// CHECK:               air.channel.put @out
air.channel @in [1]
air.channel @mid [1]
air.channel @out [1]
func.func @f(%x: memref<288xi32>, %z: memref<288xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n = %c1) args(%a = %x, %b = %z) : memref<288xi32>, memref<288xi32> {
    air.channel.put @in[] (%a[] [] []) : (memref<288xi32>)
    air.channel.get @out[] (%b[] [] []) : (memref<288xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %cN = arith.constant 12 : index
      %c8 = arith.constant 8 : index
      %m = memref.alloc() : memref<288xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<288xi32, 1>)
      scf.for %i = %c0 to %cN step %c1_1 {
        %o = affine.apply affine_map<()[s0] -> (s0 * 24)>()[%i]
        air.channel.put @mid[] (%m[0, 0, 0, %o] [2, 3, 2, 2] [12, 2, 6, 1]) : (memref<288xi32, 1>)
      }
      air.herd @h tile (%tx, %ty) in (%sx = %c1_1, %sy = %c1_1) {
        %c0_1 = arith.constant 0 : index
        %c1_2 = arith.constant 1 : index
        %cN_1 = arith.constant 12 : index
        scf.for %i = %c0_1 to %cN_1 step %c1_2 {
          %u = memref.alloc() : memref<24xi32, 2>
          air.channel.get @mid[] (%u[] [] []) : (memref<24xi32, 2>)
          air.channel.put @out[] (%u[] [] []) : (memref<24xi32, 2>)
          memref.dealloc %u : memref<24xi32, 2>
        }
      }
      memref.dealloc %m : memref<288xi32, 1>
    }
  }
  return
}
