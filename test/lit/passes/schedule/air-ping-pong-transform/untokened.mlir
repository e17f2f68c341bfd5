// RUN: allo-opt %s --air-ping-pong-transform | filecheck %s
// RUN: allo-opt %s --verify-each=execute --air-ping-pong-transform | filecheck %s

// A loop that carries no token gets one; its iterations follow on each other except for what ping-pong lets run ahead.

// CHECK-LABEL: func.func @f
// CHECK: %[[START:.*]] = air.wait_all async
// CHECK: %[[B:.*]], %[[PONG:.*]] = air.execute [%[[START]]]
// CHECK: %[[A:.*]], %[[PING:.*]] = air.execute [%[[B]]]
// CHECK: scf.for {{.*}} iter_args(%[[F0:.*]] = %[[A]], %[[F1:.*]] = %[[A]], %[[W:.*]] = %[[A]], %[[F:.*]] = %[[A]])
// CHECK: %[[G:.*]] = air.channel.get async [%[[F]], %[[F0]], %[[A]]] @in[] (%[[PING]]
// CHECK: %[[P:.*]] = air.channel.put async [%[[W]], %[[G]]] @out[] (%[[PING]]
// CHECK: %[[H:.*]] = air.channel.get async [%[[G]], %[[F1]], %[[P]], %[[B]]] @in[] (%[[PONG]]
// CHECK: %[[Q:.*]] = air.channel.put async [%[[P]], %[[H]]] @out[] (%[[PONG]]
// CHECK: scf.yield %[[P]], %[[Q]], %[[Q]], %[[H]]
air.channel @in []
air.channel @out []
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a, %m = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %1 = air.channel.get async [%a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
    %2 = air.channel.put async [%1] @out[] (%m[] [] []) : (memref<4xi32, 2>)
    %3 = air.execute [%2] {
      memref.dealloc %m : memref<4xi32, 2>
    }
  } {unroll = 2 : i32}
  return
}
