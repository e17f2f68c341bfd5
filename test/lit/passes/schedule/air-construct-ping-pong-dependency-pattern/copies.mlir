// RUN: allo-opt %s --air-unroll-loop-for-pipelining-pattern --air-hoist-alloc-in-for-pattern --air-construct-ping-pong-dependency-pattern | filecheck %s
// RUN: allo-opt %s --air-construct-ping-pong-dependency-pattern | filecheck %s --check-prefix=WHOLE

// CHECK: %[[S:.*]] = air.wait_all async
// CHECK: %[[A:.*]], %[[PING:.*]] = air.execute
// CHECK: %[[B:.*]], %[[PONG:.*]] = air.execute
// CHECK: %[[R:.*]]:4 = scf.for {{.*}} iter_args(%[[F0:.*]] = %[[S]], %[[F1:.*]] = %[[S]], %[[W:.*]] = %[[S]], %[[F:.*]] = %[[S]])
// CHECK: %[[G0:.*]] = air.channel.get async [%[[F]], %[[F0]], %[[A]]] @in[] (%[[PING]]
// CHECK: %[[P0:.*]] = air.channel.put async [%[[W]], %[[G0]]] @out[] (%[[PING]][] [] []) : (
// CHECK: %[[G1:.*]] = air.channel.get async [%[[G0]], %[[F1]], %[[P0]], %[[B]]] @in[] (%[[PONG]]
// CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]], %[[G1]]] @out[] (%[[PONG]]
// CHECK: scf.yield %[[P0]], %[[P1]], %[[P1]], %[[G1]]
// CHECK: air.wait_all async [%[[R]]#0, %[[R]]#1]

// A loop without copies stays.
// WHOLE: scf.for {{.*}} iter_args(%{{[a-z0-9]*}} = %{{[a-z0-9]*}}) -> (!air.async.token)
// WHOLE: {unroll = 2 : i32}
air.channel @in [1]
air.channel @out [1]
func.func @f(%x: memref<64xi32>, %y: memref<64xi32>) {
  air.launch () in () args(%lx=%x, %ly=%y) : memref<64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %o = arith.muli %i, %c16 : index
      air.channel.put @in[] (%lx[%o] [%c16] [%c1]) : (memref<64xi32>)
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %o = arith.muli %i, %c16 : index
      air.channel.get @out[] (%ly[%o] [%c16] [%c1]) : (memref<64xi32>)
    }
    air.segment @s {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      %s = air.wait_all async
      %0 = scf.for %i = %d0 to %d4 step %d1 iter_args(%t = %s) -> (!air.async.token) {
        %a, %m = air.execute [%t] -> (memref<16xi32, 1>) {
          %alloc = memref.alloc() {hoist_alloc = true} : memref<16xi32, 1>
          air.execute_terminator %alloc : memref<16xi32, 1>
        }
        %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<16xi32, 1>)
        %2 = air.channel.put async [%1] @out[] (%m[] [] []) : (memref<16xi32, 1>)
        %3 = air.execute [%2] {
          memref.dealloc %m : memref<16xi32, 1>
        }
        scf.yield %3 : !air.async.token
      } {unroll = 2 : i32}
    }
  }
  return
}
