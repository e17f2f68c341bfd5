// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-ping-pong-transform

func.func @factor(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  // expected-error@+1 {{'scf.for' op is to be unrolled by 4 : i32, and ping-pong has two buffers; write unroll = 2}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    scf.yield %a : !air.async.token
  } {unroll = 4 : i32}
  return
}

// -----

func.func @blocks(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  // expected-error@+1 {{it contains a 'memref.store' that has no token to wait for; run air-dependency first}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    memref.store %x, %m[%c0] : memref<4xi32, 2>
    scf.yield %a : !air.async.token
  } {unroll = 2 : i32}
  return
}

// -----

air.channel @in []
func.func @herd(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  // expected-error@+1 {{it contains an air.herd, which would be duplicated; run air-isolate-async-dma-loop-nests first}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 1>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %alloc : memref<4xi32, 1>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 1>)
    %2 = air.herd @h async [%1] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) {
    }
    scf.yield %2 : !air.async.token
  } {unroll = 2 : i32}
  return
}

// -----

air.channel @in []
func.func @size(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  // expected-error@+1 {{it allocates a buffer memref<?xi32, 2> whose size is computed in the loop; compute it before the loop}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<?xi32, 2>) {
      %alloc = memref.alloc(%i) {hoist_alloc = true} : memref<?xi32, 2>
      air.execute_terminator %alloc : memref<?xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<?xi32, 2>)
    scf.yield %1 : !air.async.token
  } {unroll = 2 : i32}
  return
}
