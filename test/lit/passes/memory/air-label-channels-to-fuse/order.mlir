// RUN: allo-opt %s --air-label-channels-to-fuse=core-s2mm=1 | filecheck %s

// Channels are declared in the order in which the herd gets from them.

// CHECK: air.channel @first [] {allo.fuse_group = 0 : i64}
// CHECK: air.channel @second [] {allo.fuse_group = 0 : i64}
air.channel @second []
air.channel @first []
func.func @turns() {
  %c1 = arith.constant 1 : index
  air.herd @herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l = memref.alloc() : memref<4xi32, 2>
    %m = memref.alloc() : memref<4xi32, 2>
    air.channel.get @first[] (%l[] [] []) : (memref<4xi32, 2>)
    air.channel.get @second[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}
