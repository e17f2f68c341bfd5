// RUN: allo-opt %s --air-construct-ping-pong-dependency-pattern | filecheck %s

// Numbers stay in front of the four tokens; what is filling and work at once follows both, and a loop without a token gets one.
// CHECK: %[[S:.*]] = air.wait_all async
// CHECK: %[[R:.*]]:5 = scf.for {{.*}} iter_args(%[[N:.*]] = %c0{{.*}}, %[[F0:.*]] = %[[S]], %[[F1:.*]] = %[[S]], %[[W:.*]] = %[[S]], %[[F:.*]] = %[[S]])
// CHECK: %[[A:.*]] = air.channel.put async [%[[F]], %[[F0]]] @in[]
// CHECK: %[[B:.*]] = air.channel.put async [%[[A]], %[[F1]]] @in[]
// CHECK: scf.yield %{{.*}}, %[[A]], %[[B]], %[[B]], %[[B]]
// CHECK: return %[[R]]#0
air.channel @in [1]
func.func @f(%m: memref<16xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%n = %c0) -> (index) {
    %1 = air.channel.put async @in[] (%m[%n] [%c1] [%c1]) {unrolled_iteration = 0 : i32} : (memref<16xi32>)
    %j = arith.addi %n, %c1 {unrolled_iteration = 0 : i32} : index
    %2 = air.channel.put async @in[] (%m[%j] [%c1] [%c1]) {unrolled_iteration = 1 : i32} : (memref<16xi32>)
    %k = arith.addi %j, %c1 {unrolled_iteration = 1 : i32} : index
    scf.yield %k : index
  }
  return %r : index
}
