// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-fuse-channels

air.channel @in [2] {allo.fuse_group = 0 : i64}
// expected-error@+1 {{is to share a channel with '@in', but its size is [1], not [2]}}
air.channel @bias [1] {allo.fuse_group = 0 : i64}

// -----

air.channel @in [] {allo.fuse_group = 0 : i64}
air.channel @bias [] {allo.fuse_group = 0 : i64}
func.func @between(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<8xi32, 1>)
  %q = air.channel.put async [%p] @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  // expected-error@+1 {{cannot move to the transfer of the channel that it shares, since an operation in between waits for it}}
  %0 = air.channel.get async @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  %1 = air.channel.get async [%0] @in[] (%a[] [] []) : (memref<8xi32, 1>)
  return
}

// -----

air.channel @in [] {allo.fuse_group = 0 : i64}
air.channel @bias [] {allo.fuse_group = 0 : i64}
func.func @synchronous(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32, 1>)
  air.channel.put @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  // expected-error@+1 {{cannot move to the transfer of the channel that it shares}}
  air.channel.get @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  air.channel.get @in[] (%a[] [] []) : (memref<8xi32, 1>)
  return
}

// -----

// The herd takes turns in each of two rounds, the segment sends all of one channel and then all of the other.

air.channel @in [] {allo.fuse_group = 0 : i64}
air.channel @bias [] {allo.fuse_group = 0 : i64}
func.func @rounds(%a: memref<4xi32, 1>, %b: memref<4xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = air.wait_all async
  %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %p = air.channel.put async [%t] @in[] (%a[%i] [%c1] [%c1]) : (memref<4xi32, 1>)
    scf.yield %p : !air.async.token
  }
  %2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %p = air.channel.put async [%t] @bias[] (%b[%i] [%c1] [%c1]) : (memref<4xi32, 1>)
    scf.yield %p : !air.async.token
  }
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %l = memref.alloc() : memref<1xi32, 2>
    scf.for %i = %d0 to %d2 step %d1 {
      air.channel.get @in[] (%l[] [] []) : (memref<1xi32, 2>)
      // expected-error@+1 {{cannot share a channel: '@in' and '@bias' alternate 2 times here, but 1 time at the other end}}
      air.channel.get @bias[] (%l[] [] []) : (memref<1xi32, 2>)
    }
  }
  return
}
