// RUN: allo-opt %s --air-label-scf-for-to-ping-pong | filecheck %s

// Buffers stay single where a core's memory has no room for two of each: those of the loop with the largest ones.
// CHECK-LABEL: func.func @memory
// CHECK:       memref.alloc() : memref<4096xi32, 2>
// CHECK:       memref.alloc() : memref<1024xi32, 2>
// CHECK-NOT:   unroll
// CHECK:       memref.alloc() {hoist_alloc = true} : memref<512xi32, 2>
// CHECK:       } {unroll = 2 : i32}

// What fits exactly is doubled: 31 KiB and a half, twice, beside a stack of 1 KiB.
// CHECK-LABEL: func.func @exactly
// CHECK:       } {unroll = 2 : i32}

// So they do where its descriptors do not suffice: nine transfers a round, twice, of 16.
// CHECK-LABEL: func.func @descriptors
// CHECK-NOT:   unroll

// Two loops whose pieces take turns on two channels, of four kinds, have 16 locks for twice as many buffers, and a result two
// more: one of the loops has single buffers.
// CHECK-LABEL: func.func @locks
// CHECK:       scf.for
// CHECK-NOT:   unroll
// CHECK:       scf.for
// CHECK:       } {unroll = 2 : i32}

air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @d [1, 1]
air.channel @e [1, 1]
air.channel @in [1, 1]
air.channel @out [1, 1]

func.func @memory() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %s = air.wait_all async
    %q, %kept = air.execute -> (memref<8192xi32, 2>) {
      %alloc = memref.alloc() : memref<8192xi32, 2>
      air.execute_terminator %alloc : memref<8192xi32, 2>
    }
    %r = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4096xi32, 2>) {
        %alloc = memref.alloc() : memref<4096xi32, 2>
        air.execute_terminator %alloc : memref<4096xi32, 2>
      }
      %b, %n = air.execute -> (memref<1024xi32, 2>) {
        %alloc = memref.alloc() : memref<1024xi32, 2>
        air.execute_terminator %alloc : memref<1024xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[%x, %y] (%m[] [] []) : (memref<4096xi32, 2>)
      %2 = air.channel.get async [%1, %b] @in[%x, %y] (%n[] [] []) : (memref<1024xi32, 2>)
      scf.yield %2 : !air.async.token
    }
    %u = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%t = %r) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<512xi32, 2>) {
        %alloc = memref.alloc() : memref<512xi32, 2>
        air.execute_terminator %alloc : memref<512xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[%x, %y] (%m[] [] []) : (memref<512xi32, 2>)
      scf.yield %1 : !air.async.token
    }
  }
  return
}

func.func @exactly() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<8064xi32, 2>) {
        %alloc = memref.alloc() : memref<8064xi32, 2>
        air.execute_terminator %alloc : memref<8064xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[%x, %y] (%m[] [] []) : (memref<8064xi32, 2>)
      scf.yield %1 : !air.async.token
    }
  }
  return
}

func.func @descriptors() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<9xi32, 2>) {
        %alloc = memref.alloc() : memref<9xi32, 2>
        air.execute_terminator %alloc : memref<9xi32, 2>
      }
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k3 = arith.constant 3 : index
      %1 = air.channel.get async [%t, %a] @in[%x, %y] (%m[] [] []) : (memref<9xi32, 2>)
      %2 = air.channel.put async [%1] @out[%x, %y] (%m[%k0] [%k1] [%k1]) : (memref<9xi32, 2>)
      %3 = air.channel.put async [%2] @out[%x, %y] (%m[%k1] [%k1] [%k1]) : (memref<9xi32, 2>)
      %4 = air.channel.put async [%3] @out[%x, %y] (%m[%k2] [%k1] [%k1]) : (memref<9xi32, 2>)
      %5 = air.channel.put async [%4] @out[%x, %y] (%m[%k3] [%k1] [%k1]) : (memref<9xi32, 2>)
      %6 = air.channel.put async [%5] @out[%x, %y] (%m[%k0] [%k2] [%k1]) : (memref<9xi32, 2>)
      %7 = air.channel.put async [%6] @out[%x, %y] (%m[%k1] [%k2] [%k1]) : (memref<9xi32, 2>)
      %8 = air.channel.put async [%7] @out[%x, %y] (%m[%k2] [%k2] [%k1]) : (memref<9xi32, 2>)
      %9 = air.channel.put async [%8] @out[%x, %y] (%m[%k3] [%k2] [%k1]) : (memref<9xi32, 2>)
      scf.yield %9 : !air.async.token
    }
  }
  return
}

func.func @locks() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %s = air.wait_all async
    %o, %kept = air.execute -> (memref<64xi32, 2>) {
      %alloc = memref.alloc() : memref<64xi32, 2>
      air.execute_terminator %alloc : memref<64xi32, 2>
    }
    %r = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
      %p, %m = air.execute -> (memref<64xi32, 2>) {
        %alloc = memref.alloc() : memref<64xi32, 2>
        air.execute_terminator %alloc : memref<64xi32, 2>
      }
      %q, %n = air.execute -> (memref<64xi32, 2>) {
        %alloc = memref.alloc() : memref<64xi32, 2>
        air.execute_terminator %alloc : memref<64xi32, 2>
      }
      %1 = air.channel.get async [%t, %p] @a[%x, %y] (%m[] [] []) : (memref<64xi32, 2>)
      %2 = air.channel.get async [%1, %q] @b[%x, %y] (%n[] [] []) : (memref<64xi32, 2>)
      scf.yield %2 : !air.async.token
    }
    %u = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%t = %r) -> (!air.async.token) {
      %p, %m = air.execute -> (memref<64xi32, 2>) {
        %alloc = memref.alloc() : memref<64xi32, 2>
        air.execute_terminator %alloc : memref<64xi32, 2>
      }
      %q, %n = air.execute -> (memref<64xi32, 2>) {
        %alloc = memref.alloc() : memref<64xi32, 2>
        air.execute_terminator %alloc : memref<64xi32, 2>
      }
      %1 = air.channel.get async [%t, %p] @d[%x, %y] (%m[] [] []) : (memref<64xi32, 2>)
      %2 = air.channel.get async [%1, %q] @e[%x, %y] (%n[] [] []) : (memref<64xi32, 2>)
      scf.yield %2 : !air.async.token
    }
    %v = air.channel.put async [%u] @out[%x, %y] (%kept[] [] []) : (memref<64xi32, 2>)
  }
  return
}
