// RUN: allo-opt %s --air-ping-pong-transform=keep-memref-dealloc=true | filecheck %s

// Where a condition may do no work, the work before it is joined to its token: what follows the loop waits for all of it.

// CHECK:      %{{.*}}:4 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[WORK:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:        %[[PING:.*]] = scf.if
// CHECK:        %[[DONE:.*]] = air.wait_all async [%[[PING]], %[[WORK]]]
// CHECK:        %[[PONG:.*]] = scf.if
// CHECK:        air.wait_all async [%[[PONG]], %[[DONE]]]
air.channel @in []
func.func @sometimes(%sum: memref<16xi32, 2>, %which: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %a, %m = air.execute -> (memref<16xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<16xi32, 2>
      air.execute_terminator %alloc : memref<16xi32, 2>
    }
    %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<16xi32, 2>)
    %mine = arith.cmpi eq, %i, %which : index
    %2 = scf.if %mine -> (!air.async.token) {
      %3 = air.execute [%1] {
        linalg.add ins(%m, %sum : memref<16xi32, 2>, memref<16xi32, 2>) outs(%sum : memref<16xi32, 2>)
      }
      scf.yield %3 : !air.async.token
    } else {
      scf.yield %1 : !air.async.token
    }
    %4 = air.execute [%2] {
      memref.dealloc %m : memref<16xi32, 2>
    }
    scf.yield %2 : !air.async.token
  } {unroll = 2 : i32}
  return
}
