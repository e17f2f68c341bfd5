// RUN: allo-opt %s --air-fuse-channels | filecheck %s

// The loop cannot follow the transfer, as what frees its buffer waits for it: the transfer goes in front of the loop.

// CHECK-NOT: @k
// CHECK:     air.wait_all async
// CHECK:     %[[FIRST:.*]] = air.channel.put async {{.*}} @c[] (%arg1
// CHECK:     %[[BEGIN:.*]] = air.wait_all async [{{.*}}%[[FIRST]]
// CHECK:     scf.for {{.*}} = %[[BEGIN]])
// CHECK:       air.channel.put async {{.*}} @c[]
air.channel @c [] {allo.fuse_group = 0 : i64}
air.channel @k [] {allo.fuse_group = 0 : i64}
func.func @f(%a: memref<8xi32>, %b: memref<8xi32, 1>, %c: memref<8xi32, 2>, %d: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %t0, %m = air.execute -> (memref<8xi32, 1>) {
      %alloc = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %alloc : memref<8xi32, 1>
    }
    %1 = air.channel.put async [%t, %t0] @k[] (%m[] [] []) : (memref<8xi32, 1>)
    %2 = air.execute [%1] {
      memref.dealloc %m : memref<8xi32, 1>
    }
    scf.yield %2 : !air.async.token
  }
  %3 = air.wait_all async [%s]
  %4 = air.channel.put async [%3] @c[] (%b[] [] []) : (memref<8xi32, 1>)
  %5 = air.channel.get async @c[] (%c[] [] []) : (memref<8xi32, 2>)
  %6 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %5) -> (!air.async.token) {
    %7 = air.channel.get async [%t] @k[] (%d[] [] []) : (memref<8xi32, 2>)
    scf.yield %7 : !air.async.token
  }
  return
}
