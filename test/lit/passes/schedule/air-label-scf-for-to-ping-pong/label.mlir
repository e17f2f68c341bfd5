// RUN: allo-opt %s --air-label-scf-for-to-ping-pong | filecheck %s
// RUN: allo-opt %s --air-label-scf-for-to-ping-pong --air-label-scf-for-to-ping-pong | filecheck %s
// RUN: allo-opt %s --air-label-scf-for-to-ping-pong=omit-memory-space=L1 | filecheck %s --check-prefix=OMIT

air.channel @in []
air.channel @in2 []
air.channel @out []

// An iteration fills a buffer, works on it, and waits for that, which does nothing to it.

// CHECK-LABEL: func.func @filled
// CHECK:       memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
// CHECK:       } {unroll = 2 : i32}
// OMIT-LABEL:  func.func @filled
// OMIT-NOT:    unroll
// OMIT:        func.func @memtile
func.func @filled(%n: index, %o: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.execute [%1] {
      linalg.add ins(%m, %m : memref<4xi32, 2>, memref<4xi32, 2>) outs(%o : memref<4xi32, 2>)
    }
    air.wait_all [%2]
    scf.yield %2 : !air.async.token
  }
  return
}

// The inner loop alone, though both have buffers; branches that exclude each other fill once.

// CHECK-LABEL: func.func @memtile
// CHECK:       scf.for
// CHECK:       memref.alloc() : memref<8xi32, 1>
// CHECK:       scf.for
// CHECK:       memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
// CHECK:       } {unroll = 2 : i32}
// CHECK-NOT:   unroll
// CHECK:       return
// OMIT:        unroll = 2
func.func @memtile(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<8xi32, 1>) {
      %alloc = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %alloc : memref<8xi32, 1>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<8xi32, 1>)
    %2 = scf.for %j = %c0 to %n step %c1 iter_args(%u = %1) -> (!air.async.token) {
      %b, %k = air.execute -> (memref<4xi32, 1>) {
        %alloc = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %alloc : memref<4xi32, 1>
      }
      %even = arith.cmpi eq, %i, %c0 : index
      %3 = scf.if %even -> (!air.async.token) {
        %4 = air.channel.get async [%u, %b] @in[] (%k[] [] []) : (memref<4xi32, 1>)
        scf.yield %4 : !air.async.token
      } else {
        %4 = air.channel.get async [%u, %b] @in2[] (%k[] [] []) : (memref<4xi32, 1>)
        scf.yield %4 : !air.async.token
      }
      %5 = air.channel.put async [%3] @out[] (%k[] [] []) : (memref<4xi32, 1>)
      scf.yield %5 : !air.async.token
    }
    scf.yield %2 : !air.async.token
  }
  return
}
