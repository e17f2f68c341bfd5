// RUN: allo-opt %s --air-label-scf-for-to-ping-pong | filecheck %s
// RUN: allo-opt %s --air-label-scf-for-to-ping-pong=calls-overwrite=true | filecheck %s --check-prefix=OVER

// A call that is the first to reach a buffer may go on with what the last iteration left there; after a get, or after what
// fills it, that does not matter.

air.channel @in []
air.channel @out []
func.func private @work(memref<4xi32, 2>, memref<4xi32, 2>)

// CHECK-LABEL: func.func @state
// CHECK-NOT: unroll
// OVER-LABEL: func.func @state
// OVER: unroll = 2
func.func @state(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %b, %o = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.execute [%1, %b] {
      func.call @work(%m, %o) : (memref<4xi32, 2>, memref<4xi32, 2>) -> ()
    }
    %3 = air.channel.put async [%2] @out[] (%o[] [] []) : (memref<4xi32, 2>)
    scf.yield %3 : !air.async.token
  }
  return
}

// CHECK-LABEL: func.func @filled
// CHECK: unroll = 2
func.func @filled(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %b, %o = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %f = air.execute [%b] {
      linalg.fill ins(%x : i32) outs(%o : memref<4xi32, 2>)
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.execute [%1, %f] {
      func.call @work(%m, %o) : (memref<4xi32, 2>, memref<4xi32, 2>) -> ()
    }
    %3 = air.channel.put async [%2] @out[] (%o[] [] []) : (memref<4xi32, 2>)
    scf.yield %3 : !air.async.token
  }
  return
}
