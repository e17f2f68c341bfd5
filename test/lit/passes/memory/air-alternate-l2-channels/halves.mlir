// RUN: allo-opt --syntax=2026-03 %s --air-alternate-l2-channels --canonicalize --cse | filecheck %s

// Two columns read rows of a matrix in pieces of columns, each for two cores. The runs of half as many rows are as long: each
// core's rows come over a channel of their own, and the pieces of the vector ride on the first one, whatever their number is.

// CHECK:       air.channel @[[IN:.*]] [4, 1]
// CHECK-NOT:   air.channel @vector
// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c1536{{.*}} step %c512
// CHECK:         %[[V:.*]] = air.channel.put async {{.*}}@[[IN]][%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]]] [%c512{{.*}}] [%c1{{.*}}]) {allo.multiplexed
// CHECK:         air.channel.put async [{{.*}}%[[V]]] @[[IN]][%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%c0{{.*}}, %[[K]]] [%c32{{.*}}, %c512{{.*}}]
// CHECK:         air.channel.put async {{.*}}@[[IN]][%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%c32{{.*}}, %[[K]]] [%c32{{.*}}, %c512{{.*}}]
// CHECK:         air.channel.put async {{.*}}@[[IN]][%c2{{.*}}, %c0{{.*}}] (%{{.*}}[%c64{{.*}}, %[[K]]] [%c32{{.*}}, %c512{{.*}}]
// CHECK:         air.channel.put async {{.*}}@[[IN]][%c3{{.*}}, %c0{{.*}}] (%{{.*}}[%c96{{.*}}, %[[K]]] [%c32{{.*}}, %c512{{.*}}]
// CHECK:       air.segment
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c1536{{.*}} step %c512
// CHECK:           %[[G:.*]] = air.channel.get async {{.*}}@[[IN]][%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {allo.multiplexed{{.*}}memref<512xf32, 1>
// CHECK:           air.channel.get async [{{.*}}%[[G]]] @[[IN]][%c0{{.*}}memref<32x512xf32, 1>
// CHECK:           air.channel.get async {{.*}}@[[IN]][%c1{{.*}}memref<32x512xf32, 1>
// CHECK:           air.channel.get async {{.*}}@[[IN]][%c2{{.*}}memref<32x512xf32, 1>
// CHECK:           air.channel.get async {{.*}}@[[IN]][%c3{{.*}}memref<32x512xf32, 1>

module {
  air.channel @in [2, 1]
  air.channel @vector []
  air.channel @all [1, 1] {broadcast_shape = [2, 2]}
  air.channel @out [2, 2]
  func.func @rows(%x: memref<128x1536xf32>, %v: memref<1536xf32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", channels = 2 : i64}]}} {
    %one = arith.constant 1 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x, %z=%v) : memref<128x1536xf32>, memref<1536xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c512 = arith.constant 512 : index
      %c1536 = arith.constant 1536 : index
      %t0 = air.wait_all async
      %1 = scf.for %k = %c0 to %c1536 step %c512 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @vector[] (%z[%k] [%c512] [%c1]) {id = 1 : i32} : (memref<1536xf32>)
        scf.yield %p : !air.async.token
      }
      %2 = scf.for %k = %c0 to %c1536 step %c512 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @in[%c0, %c0] (%y[%c0, %k] [%c64, %c512] [%c1536, %c1]) {id = 2 : i32} : (memref<128x1536xf32>)
        %q = air.channel.put async [%t] @in[%c1, %c0] (%y[%c64, %k] [%c64, %c512] [%c1536, %c1]) {id = 3 : i32} : (memref<128x1536xf32>)
        %w = air.wait_all async [%p, %q]
        scf.yield %w : !air.async.token
      }
      %3 = air.segment @s async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d32 = arith.constant 32 : index
        %d512 = arith.constant 512 : index
        %d1536 = arith.constant 1536 : index
        %s0 = air.wait_all async
        %4 = scf.for %k = %d0 to %d1536 step %d512 iter_args(%t = %s0) -> (!air.async.token) {
          %ta, %a = air.execute -> (memref<512xf32, 1>) {
            %alloc = memref.alloc() : memref<512xf32, 1>
            air.execute_terminator %alloc : memref<512xf32, 1>
          }
          %tb, %b = air.execute -> (memref<64x512xf32, 1>) {
            %alloc = memref.alloc() : memref<64x512xf32, 1>
            air.execute_terminator %alloc : memref<64x512xf32, 1>
          }
          %tc, %c = air.execute -> (memref<64x512xf32, 1>) {
            %alloc = memref.alloc() : memref<64x512xf32, 1>
            air.execute_terminator %alloc : memref<64x512xf32, 1>
          }
          %ga = air.channel.get async [%ta, %t] @vector[] (%a[] [] []) {id = 4 : i32} : (memref<512xf32, 1>)
          %gb = air.channel.get async [%tb, %t] @in[%d0, %d0] (%b[] [] []) {id = 5 : i32} : (memref<64x512xf32, 1>)
          %gc = air.channel.get async [%tc, %t] @in[%d1, %d0] (%c[] [] []) {id = 6 : i32} : (memref<64x512xf32, 1>)
          %pa = air.channel.put async [%ga] @all[] (%a[] [] []) {id = 7 : i32} : (memref<512xf32, 1>)
          %p0 = air.channel.put async [%gb] @out[%d0, %d0] (%b[%d0, %d0] [%d32, %d512] [%d512, %d1]) {id = 8 : i32} : (memref<64x512xf32, 1>)
          %p1 = air.channel.put async [%gb] @out[%d0, %d1] (%b[%d32, %d0] [%d32, %d512] [%d512, %d1]) {id = 9 : i32} : (memref<64x512xf32, 1>)
          %p2 = air.channel.put async [%gc] @out[%d1, %d0] (%c[%d0, %d0] [%d32, %d512] [%d512, %d1]) {id = 10 : i32} : (memref<64x512xf32, 1>)
          %p3 = air.channel.put async [%gc] @out[%d1, %d1] (%c[%d32, %d0] [%d32, %d512] [%d512, %d1]) {id = 11 : i32} : (memref<64x512xf32, 1>)
          %w = air.wait_all async [%pa, %p0, %p1, %p2, %p3]
          scf.yield %w : !air.async.token
        }
        %h = air.herd @h async tile (%tx, %ty) in (%sx=%d2, %sy=%d2) {
          %e0 = arith.constant 0 : index
          %e512 = arith.constant 512 : index
          %e1536 = arith.constant 1536 : index
          scf.for %k = %e0 to %e1536 step %e512 {
            %l = memref.alloc() : memref<512xf32, 2>
            %m = memref.alloc() : memref<32x512xf32, 2>
            air.channel.get @all[%tx, %ty] (%l[] [] []) : (memref<512xf32, 2>)
            air.channel.get @out[%tx, %ty] (%m[] [] []) : (memref<32x512xf32, 2>)
            memref.dealloc %l : memref<512xf32, 2>
            memref.dealloc %m : memref<32x512xf32, 2>
          }
        }
      }
    }
    return
  }
}
