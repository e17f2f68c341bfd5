// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s
// RUN: allo-opt %s --air-label-channels-to-fuse=core-s2mm=3 | filecheck %s --check-prefix=THREE

// The third get shares the channel of the one before it that goes to the same cores; the channels that fill the L2 buffers of
// both share, too.

// CHECK-DAG: air.channel @fill_a []{{$}}
// CHECK-DAG: air.channel @fill_b [] {allo.fuse_group = [[FILL:[01]]] : i64}
// CHECK-DAG: air.channel @fill_c [] {allo.fuse_group = [[FILL]] : i64}
// CHECK-DAG: air.channel @a [2, 1]{{$}}
// CHECK-DAG: air.channel @b [1, 1] {allo.fuse_group = [[B:[01]]] : i64, broadcast_shape = [2, 1]}
// CHECK-DAG: air.channel @c [1, 1] {allo.fuse_group = [[B]] : i64, broadcast_shape = [2, 1]}
// THREE-NOT: allo.fuse_group
air.channel @fill_a []
air.channel @fill_b []
air.channel @fill_c []
air.channel @a [2, 1]
air.channel @b [1, 1] {broadcast_shape = [2, 1]}
air.channel @c [1, 1] {broadcast_shape = [2, 1]}
func.func @shared() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : memref<4xi32, 1>
    %b = memref.alloc() : memref<4xi32, 1>
    %c = memref.alloc() : memref<4xi32, 1>
    air.channel.get @fill_a[] (%a[] [] []) : (memref<4xi32, 1>)
    air.channel.get @fill_b[] (%b[] [] []) : (memref<4xi32, 1>)
    air.channel.get @fill_c[] (%c[] [] []) : (memref<4xi32, 1>)
    air.channel.put @a[%c0, %c0] (%a[] [] []) : (memref<4xi32, 1>)
    air.channel.put @a[%c1, %c0] (%a[] [] []) : (memref<4xi32, 1>)
    air.channel.put @b[] (%b[] [] []) : (memref<4xi32, 1>)
    air.channel.put @c[] (%c[] [] []) : (memref<4xi32, 1>)
    air.herd @herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
      %l = memref.alloc() : memref<4xi32, 2>
      %m = memref.alloc() : memref<4xi32, 2>
      %n = memref.alloc() : memref<4xi32, 2>
      air.channel.get @a[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
      air.channel.get @b[%x, %y] (%m[] [] []) : (memref<4xi32, 2>)
      air.channel.get @c[%x, %y] (%n[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}
