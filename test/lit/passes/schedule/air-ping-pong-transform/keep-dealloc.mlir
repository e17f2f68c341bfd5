// RUN: allo-opt %s --air-ping-pong-transform='keep-memref-dealloc=true' --canonicalize --verify-each=execute | filecheck %s

// Three iterations are a pair, which canonicalize inlines, and one more, on the first buffer again: that is freed after it only.
// CHECK-LABEL: func.func @three
// CHECK: %[[T1:.*]], %[[PONG:.*]] = air.execute
// CHECK: %[[T0:.*]], %[[PING:.*]] = air.execute
// CHECK: air.channel.get async {{.*}} @in[] (%[[PING]][] [] [])
// CHECK-NOT: memref.dealloc %[[PING]]
// CHECK: air.channel.get async {{.*}} @in[] (%[[PONG]][] [] [])
// CHECK: memref.dealloc %[[PONG]]
// CHECK: air.channel.get async {{.*}} @in[] (%[[PING]][] [] [])
// CHECK: memref.dealloc %[[PING]]
// CHECK-NOT: memref.dealloc
air.channel @in []
air.channel @out []
func.func @three(%a: memref<3x16xi32>, %b: memref<3x16xi32>) {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) args(%x=%a, %y=%b) : memref<3x16xi32>, memref<3x16xi32> {
    %1 = air.channel.put async @in[] (%x[] [] []) : (memref<3x16xi32>)
    %2 = air.channel.get async @out[] (%y[] [] []) : (memref<3x16xi32>)
    %3 = air.segment @s async {
      %c1 = arith.constant 1 : index
      %4 = air.herd @h async tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %s = air.wait_all async
        %5 = scf.for %k = %c0 to %c3 step %c1_0 iter_args(%t = %s) -> (!air.async.token) {
          %ta, %m = air.execute [%t] -> (memref<16xi32, 2>) {
            %alloc = memref.alloc() {hoist_alloc = true} : memref<16xi32, 2>
            air.execute_terminator %alloc : memref<16xi32, 2>
          }
          %g = air.channel.get async [%ta, %t] @in[] (%m[] [] []) : (memref<16xi32, 2>)
          %w = air.execute [%g] {
            linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
          }
          %p = air.channel.put async [%w] @out[] (%m[] [] []) : (memref<16xi32, 2>)
          %d = air.execute [%p] {
            memref.dealloc %m : memref<16xi32, 2>
          }
          scf.yield %d : !air.async.token
        } {unroll = 2 : i32}
      }
    }
  }
  air.wait_all [%0]
  return
}
