// RUN: allo-opt %s --air-label-scf-for-to-ping-pong | filecheck %s

// Loops that stay as they are.

// CHECK-NOT: unroll
// CHECK-NOT: hoist_alloc

air.channel @in []
air.channel @out []
func.func private @unknown(memref<4xi32, 2>, memref<4xi32, 2>)

// It runs only once.

// CHECK-LABEL: func.func @once
// CHECK-NOT:   unroll
func.func @once(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    scf.yield %1 : !air.async.token
  }
  return
}

// It is disabled, here by an attribute around it.

// CHECK-LABEL: func.func @disabled
// CHECK-NOT:   unroll
func.func @disabled(%n: index) attributes {air.disable_ping_pong} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    scf.yield %1 : !air.async.token
  }
  return
}

// The get has no token to wait for.

// CHECK-LABEL: func.func @synchronous
// CHECK-NOT:   unroll
func.func @synchronous(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  scf.for %i = %c0 to %n step %c1 {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    air.channel.get @in[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// The buffer is read before it is written: the last iteration left something in it.

// CHECK-LABEL: func.func @accumulates
// CHECK-NOT:   unroll
func.func @accumulates(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %0 = air.channel.put async [%t, %a] @out[] (%m[] [] []) : (memref<4xi32, 2>)
    %1 = air.channel.get async [%0] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    scf.yield %1 : !air.async.token
  }
  return
}

// Two transfers fill the buffer.

// CHECK-LABEL: func.func @two_fills
// CHECK-NOT:   unroll
func.func @two_fills(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %c2 = arith.constant 2 : index
    %0 = air.channel.get async [%t, %a] @in[] (%m[%c0] [%c2] [%c1]) : (memref<4xi32, 2>)
    %1 = air.channel.get async [%0] @in[] (%m[%c2] [%c2] [%c1]) : (memref<4xi32, 2>)
    scf.yield %1 : !air.async.token
  }
  return
}

// No transfer touches the buffer.

// CHECK-LABEL: func.func @scratch
// CHECK-NOT:   unroll
func.func @scratch(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.execute [%t, %a] {
      linalg.fill ins(%x : i32) outs(%m : memref<4xi32, 2>)
    }
    scf.yield %1 : !air.async.token
  }
  return
}

// Something in it cannot be waited for.

// CHECK-LABEL: func.func @blocks
// CHECK-NOT:   unroll
func.func @blocks(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    memref.store %x, %m[%c0] : memref<4xi32, 2>
    scf.yield %1 : !air.async.token
  }
  return
}

// It holds a herd, of which there would be two.

// CHECK-LABEL: func.func @herd
// CHECK-NOT:   unroll
func.func @herd(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.herd @h async [%1] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) {
    }
    scf.yield %2 : !air.async.token
  }
  return
}

// The size of the buffer is computed in the loop.

// CHECK-LABEL: func.func @size
// CHECK-NOT:   unroll
func.func @size(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = air.wait_all async
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<?xi32, 2>) {
      %alloc = memref.alloc(%i) : memref<?xi32, 2>
      air.execute_terminator %alloc : memref<?xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<?xi32, 2>)
    scf.yield %1 : !air.async.token
  }
  return
}

// What is done to a memref from outside of the herd is not known.

// CHECK-LABEL: func.func @shared
// CHECK-NOT:   unroll
// CHECK:       return
func.func @shared(%n: index, %o: memref<4xi32, 2>) {
  %one = arith.constant 1 : index
  air.herd @h tile (%hx, %hy) in (%sx=%one, %sy=%one) args(%q=%o, %k=%n) : memref<4xi32, 2>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %k step %c1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 2>) {
        %alloc = memref.alloc() : memref<4xi32, 2>
        air.execute_terminator %alloc : memref<4xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
      %2 = air.execute [%1] {
        func.call @unknown(%m, %q) : (memref<4xi32, 2>, memref<4xi32, 2>) -> ()
      }
      scf.yield %2 : !air.async.token
    }
  }
  return
}
