// RUN: allo-opt %s --air-par-to-herd | filecheck %s
// RUN: allo-opt %s --air-par-to-launch | filecheck %s

// A loop that joins tokens is asynchronous AIR already.
// CHECK-LABEL: func.func @tokens
// CHECK-NOT: air.herd
// CHECK-NOT: air.launch
// CHECK: scf.parallel
air.channel @c [2]
func.func @tokens(%a: memref<2x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %t = air.wait_all async
  %r = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%t) -> !air.async.token {
    %p = air.channel.put async [%t] @c[%i] (%a[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<2x8xf32>)
    scf.reduce(%p : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %w = air.wait_all async [%x, %y]
      scf.reduce.return %w : !air.async.token
    }
  }
  air.wait_all [%r]
  return
}
