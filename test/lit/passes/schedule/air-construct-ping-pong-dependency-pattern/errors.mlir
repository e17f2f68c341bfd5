// RUN: allo-opt %s --air-construct-ping-pong-dependency-pattern --verify-diagnostics

air.channel @in [1]
air.channel @out [1]
func.func @f(%m: memref<16xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %s) -> (!air.async.token) {
    // expected-error@below {{uses a buffer that the other copy of the iteration uses, too, so that they cannot overlap; mark its allocation hoist_alloc}}
    %1 = air.channel.get async [%t] @in[] (%m[] [] []) {unrolled_iteration = 0 : i32} : (memref<16xi32, 1>)
    %2 = air.channel.put async [%1] @out[] (%m[] [] []) {unrolled_iteration = 0 : i32} : (memref<16xi32, 1>)
    %3 = air.channel.get async [%2] @in[] (%m[] [] []) {unrolled_iteration = 1 : i32} : (memref<16xi32, 1>)
    %4 = air.channel.put async [%3] @out[] (%m[] [] []) {unrolled_iteration = 1 : i32} : (memref<16xi32, 1>)
    scf.yield %4 : !air.async.token
  }
  return
}
