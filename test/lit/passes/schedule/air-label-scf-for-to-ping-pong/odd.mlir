// RUN: allo-opt %s --air-label-scf-for-to-ping-pong | filecheck %s

// Buffers of a loop that runs an odd number of times take a descriptor for each iteration: a core has 16.

// CHECK-LABEL: func.func @seven
// CHECK:       hoist_alloc
// CHECK:       } {unroll = 2 : i32}
// CHECK-LABEL: func.func @nine
// CHECK-NOT:   unroll
// CHECK-LABEL: func.func @eighteen
// CHECK:       } {unroll = 2 : i32}
// CHECK-LABEL: func.func @memtile
// CHECK:       } {unroll = 2 : i32}
// CHECK-NOT:   unroll

air.channel @in [1, 1]
air.channel @out [1, 1]

func.func @seven() {
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

func.func @nine() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c9 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
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

func.func @eighteen() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c18 = arith.constant 18 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c18 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
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

// A channel of a memtile reaches 24: 23 iterations have room, 25 have not.

func.func @memtile() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c23 = arith.constant 23 : index
    %c25 = arith.constant 25 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c23 step %c1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 1>) {
        %alloc = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %alloc : memref<4xi32, 1>
      }
      %1 = air.channel.get async [%t, %a] @in[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      %2 = air.channel.put async [%1] @out[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      scf.yield %2 : !air.async.token
    }
    %r2 = scf.for %i = %c0 to %c25 step %c1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 1>) {
        %alloc = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %alloc : memref<4xi32, 1>
      }
      %1 = air.channel.get async [%t, %a] @in[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      %2 = air.channel.put async [%1] @out[%c0, %c0] (%m[] [] []) : (memref<4xi32, 1>)
      scf.yield %2 : !air.async.token
    }
  }
  return
}
