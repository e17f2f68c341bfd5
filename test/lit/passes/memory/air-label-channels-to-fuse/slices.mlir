// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s

// Where cores lie along one dimension of the result of a matrix multiplication, what comes along with its steps comes to L2 so,
// too: one loop gets from both, and the channels that fill their buffers shall be one.

// CHECK-DAG: air.channel @k [] {allo.fuse_group = [[K:[0-9]+]] : i64}
// CHECK-DAG: air.channel @v [] {allo.fuse_group = [[K]] : i64}
// CHECK-DAG: air.channel @fill_k [] {allo.fuse_group = [[F:[0-9]+]] : i64}
// CHECK-DAG: air.channel @fill_v [] {allo.fuse_group = [[F]] : i64}
air.channel @fill_k []
air.channel @fill_v []
air.channel @q [1, 1] {broadcast_shape = [2, 1]}
air.channel @mask [1, 1] {broadcast_shape = [2, 1]}
air.channel @k []
air.channel @v []
func.func @loop() attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 16>, core = array<i64: 4, 32, 64>, micro = array<i64: 4, 4, 8>, padded = array<i64: 4, 512, 1024>, piece = 128 : i64, spread = 4 : i64}} {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %k = memref.alloc() : memref<4xi32, 1>
    %v = memref.alloc() : memref<4xi32, 1>
    scf.for %i = %c0 to %c4 step %c1 {
      air.channel.get @fill_k[] (%k[] [] []) : (memref<4xi32, 1>)
      air.channel.get @fill_v[] (%v[] [] []) : (memref<4xi32, 1>)
      air.channel.put @k[] (%k[] [] []) : (memref<4xi32, 1>)
      air.channel.put @v[] (%v[] [] []) : (memref<4xi32, 1>)
    }
    air.channel.put @q[] (%k[] [] []) : (memref<4xi32, 1>)
    air.channel.put @mask[] (%k[] [] []) : (memref<4xi32, 1>)
    air.herd @herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      %l = memref.alloc() : memref<4xi32, 2>
      %m = memref.alloc() : memref<4xi32, 2>
      air.channel.get @q[%x, %y] (%l[] [] []) : (memref<4xi32, 2>)
      air.channel.get @mask[%x, %y] (%m[] [] []) : (memref<4xi32, 2>)
      scf.for %i = %d0 to %d4 step %d1 {
        air.channel.get @k[] (%l[] [] []) : (memref<4xi32, 2>)
        air.channel.get @v[] (%m[] [] []) : (memref<4xi32, 2>)
      }
    }
  }
  return
}
