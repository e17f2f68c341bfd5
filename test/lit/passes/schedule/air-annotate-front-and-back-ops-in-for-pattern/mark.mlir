// RUN: allo-opt %s --air-annotate-front-and-back-ops-in-for-pattern | filecheck %s

// CHECK: air.execute
// CHECK: } {async_front = true}
// CHECK: air.channel.get async {{.*}}@in[%c0] ({{.*}}) : (
// CHECK: air.channel.put async {{.*}}@out[%c0] ({{.*}}) : (
// CHECK: air.execute
// CHECK: } {async_back = true}
// CHECK: @other{{.*}} {async_back = true, async_front = true}
air.channel @in [1]
air.channel @out [1]
air.channel @other [1]
func.func @f(%x: memref<16xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<16xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<16xi32, 2>
      air.execute_terminator %alloc : memref<16xi32, 2>
    }
    %1 = air.channel.get async [%a, %t] @in[%c0] (%m[] [] []) : (memref<16xi32, 2>)
    %2 = air.channel.put async [%1] @out[%c0] (%m[] [] []) : (memref<16xi32, 2>)
    %3 = air.execute [%2] {
      memref.dealloc %m : memref<16xi32, 2>
    }
    %4 = air.channel.put async [%t] @other[%c0] (%x[%i] [%c1] [%c1]) : (memref<16xi32, 1>)
    %5 = air.wait_all async [%3, %4]
    scf.yield %5 : !air.async.token
  } {unroll = 2 : i32}
  return
}
