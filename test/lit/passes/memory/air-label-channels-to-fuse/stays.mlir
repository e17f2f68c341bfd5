// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s

// A third get to other cores than the first two, which are of one kind: these share.

// CHECK-DAG: air.channel @a [1, 1] {allo.fuse_group = 0 : i64, broadcast_shape = [2, 1]}
// CHECK-DAG: air.channel @b [1, 1] {allo.fuse_group = 0 : i64, broadcast_shape = [2, 1]}
// CHECK-DAG: air.channel @c [2, 1]{{$}}
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

// Three gets of three kinds stay. The error is that of air-to-aie.

// CHECK-LABEL: func.func @three_kinds
// CHECK-NOT: allo.fuse_group
air.channel @by_column [1, 1] {broadcast_shape = [2, 1]}
air.channel @by_row [1, 1] {broadcast_shape = [1, 2]}
air.channel @each [2, 2]
func.func @three_kinds() {
  %c2 = arith.constant 2 : index
  air.herd @kinds tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    %l = memref.alloc() : memref<4xi32, 2>
    air.channel.get @by_column[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
    air.channel.get @by_row[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
    air.channel.get @each[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// The branches of a condition are alternatives: a core gets from two channels.

// CHECK-LABEL: func.func @branches
// CHECK-NOT: allo.fuse_group
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
