// RUN: allo-opt %s --air-dma-to-channel --canonicalize --cse | filecheck %s

// Only the cores that execute the copy have an end outside; a condition on a loop variable goes along.

// CHECK: air.channel @channel_0 [2, 4]
// CHECK: air.channel @channel_1 [2, 4]
// CHECK: air.segment
// CHECK: scf.parallel (%[[Y:.*]]) = (%c1{{.*}}) to (%c4{{.*}}) step
// CHECK: air.channel.put async {{.*}}@channel_0[%c1{{.*}}, %[[Y]]]
// CHECK: scf.parallel
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: %[[TEST:.*]] = arith.cmpi sge
// CHECK: scf.if %[[TEST]] -> (!air.async.token)
// CHECK: air.channel.put async {{.*}}@channel_1[
// CHECK: air.herd
#some = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 - 1 >= 0)>
#late = affine_set<()[s0] : (s0 - 2 >= 0)>
func.func @some() {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s=%c1) {
    air.segment @seg {
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %l2 = memref.alloc() : memref<64xi32, 1>
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c4) args(%m=%l2) : memref<64xi32, 1> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c4_0 = arith.constant 4 : index
        %in = memref.alloc() : memref<64xi32, 2>
        affine.if #some()[%x, %y] {
          air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
        }
        scf.for %k = %c0 to %c4_0 step %c1_0 {
          affine.if #late()[%k] {
            air.dma_memcpy_nd (%in[] [] [], %m[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
          }
        }
      }
    }
  }
  return
}
