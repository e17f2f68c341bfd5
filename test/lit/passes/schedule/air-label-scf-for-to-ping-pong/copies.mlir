// RUN: allo-opt %s --air-label-scf-for-to-ping-pong=l2-copies=2 | filecheck %s

// Buffers of memtiles that will have copies anyway stay single in a loop that runs an odd number of times, but where a channel is
// to be one with others; so do not those of an even number of times, nor a core's.

// CHECK-LABEL: func.func @segments
// CHECK:       scf.for {{.*}} to %c3
// CHECK-NOT:   unroll
// CHECK:       scf.for {{.*}} to %c4
// CHECK:       } {unroll = 2 : i32}
// CHECK:       scf.for {{.*}} to %c3
// CHECK:       } {unroll = 2 : i32}
// CHECK-LABEL: func.func @core
// CHECK:       } {unroll = 2 : i32}

air.channel @in [1, 1]
air.channel @out [1, 1]
air.channel @shared [1, 1] {allo.fuse_group = 0 : i64}

func.func @segments() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 1>) {
        %alloc = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %alloc : memref<4xi32, 1>
      }
      %1 = air.channel.get async [%t, %a] @in[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      %2 = air.channel.put async [%1] @out[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      scf.yield %2 : !air.async.token
    }
    %q = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %r) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 1>) {
        %alloc = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %alloc : memref<4xi32, 1>
      }
      %1 = air.channel.get async [%t, %a] @in[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      %2 = air.channel.put async [%1] @out[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      scf.yield %2 : !air.async.token
    }
    %p = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %q) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 1>) {
        %alloc = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %alloc : memref<4xi32, 1>
      }
      %1 = air.channel.get async [%t, %a] @in[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      %2 = air.channel.put async [%1] @shared[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      scf.yield %2 : !air.async.token
    }
  }
  return
}

func.func @core() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c7 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 2>) {
        %alloc = memref.alloc() : memref<4xi32, 2>
        air.execute_terminator %alloc : memref<4xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[%x, %y] (%m[] [] []) : (memref<4xi32, 2>)
      %2 = air.channel.put async [%1] @out[%x, %y] (%m[] [] []) : (memref<4xi32, 2>)
      scf.yield %2 : !air.async.token
    }
  }
  return
}
