// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s

// A third get to other cores than the first two: no channel of the same kind. The error is that of air-to-aie.

// CHECK-NOT: fuse_group
// CHECK-LABEL: func.func @other_cores
air.channel @a [1, 1] {broadcast_shape = [2, 1]}
air.channel @b [1, 1] {broadcast_shape = [2, 1]}
air.channel @c [2, 1]
func.func @other_cores() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    %l = memref.alloc() : memref<4xi32, 2>
    air.channel.get @a[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
    air.channel.get @b[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
    air.channel.get @c[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// The branches of a condition are alternatives: a core gets from two channels.

// CHECK-LABEL: func.func @branches
// CHECK-NOT: fuse_group
air.channel @even [1, 1]
air.channel @odd [1, 1]
air.channel @all [1, 1] {broadcast_shape = [2, 1]}
func.func @branches() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @pair tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %l = memref.alloc() : memref<4xi32, 2>
    affine.if affine_set<()[s0] : (s0 == 0)>()[%x] {
      air.channel.get @even[%c0, %c0] (%l[] [] []) : (memref<4xi32, 2>)
    } else {
      air.channel.get @odd[%c0, %c0] (%l[] [] []) : (memref<4xi32, 2>)
    }
    air.channel.get @all[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
  }
  return
}
