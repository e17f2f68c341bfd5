// RUN: allo-opt --syntax=2026-03 %s --air-alternate-l2-channels --canonicalize --cse | filecheck %s

// What shall share the vector's channel, slices of something else, and comes in its loop rides with it, after its pieces.

// CHECK:       air.channel @in [4, 1]
// CHECK-NOT:   air.channel @vector
// CHECK-NOT:   air.channel @slice
// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c2048{{.*}} step %c64
// CHECK:         %[[V:.*]] = air.channel.put async {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]]] [%c32{{.*}}] {{.*}}{allo.multiplexed = 1 : i64
// CHECK:         %[[S:.*]] = air.channel.put async [%[[V]]] @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}} [%c8{{.*}}] {{.*}}{allo.multiplexed = 1 : i64
// CHECK:         air.channel.put async [{{.*}}%[[S]]] @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c0{{.*}}]
// CHECK:         air.channel.put async {{.*}}@in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c512{{.*}}]
// CHECK:         air.channel.put async {{.*}}@in[%c2{{.*}}memref<2048xf32>
// CHECK:         air.channel.put async {{.*}}@in[%c2{{.*}}memref<512xf32>
// CHECK:         air.channel.put async {{.*}}@in[%c2{{.*}}memref<2048x1024xf32>
// CHECK:       air.segment
// CHECK:           %[[G:.*]] = air.channel.get async {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {{.*}}memref<32xf32, 1>
// CHECK:           %[[H:.*]] = air.channel.get async {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {{.*}}memref<8xf32, 1>
// CHECK:           air.channel.get async [{{.*}}%[[H]]] @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {{.*}}memref<32x512xf32, 1>

module {
  air.channel @in [2, 1]
  air.channel @vector [] {allo.fuse_group = 0 : i64}
  air.channel @slice [] {allo.fuse_group = 0 : i64}
  air.channel @all [1, 1] {broadcast_shape = [2, 1]}
  air.channel @more [1, 1] {broadcast_shape = [2, 1]}
  air.channel @out [2, 1]
  func.func @rows(%x: memref<2048x1024xf32>, %v: memref<2048xf32>, %u: memref<512xf32>)
    attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, spread = 2 : i64, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", channels = 2 : i64, alternating = 2 : i64}]}} {
    %one = arith.constant 1 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x, %z=%v, %b0=%u) : memref<2048x1024xf32>, memref<2048xf32>, memref<512xf32> {
      %c8 = arith.constant 8 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c512 = arith.constant 512 : index
      %c1024 = arith.constant 1024 : index
      %c2048 = arith.constant 2048 : index
      %t0 = air.wait_all async
      %1 = scf.for %k = %c0 to %c2048 step %c32 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @vector[] (%z[%k] [%c32] [%c1]) {id = 1 : i32} : (memref<2048xf32>)
        %o = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%k)
        %s = air.channel.put async [%p] @slice[] (%b0[%o] [%c8] [%c1]) {id = 10 : i32} : (memref<512xf32>)
        scf.yield %s : !air.async.token
      }
      %2 = scf.for %k = %c0 to %c2048 step %c32 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @in[%c0, %c0] (%y[%k, %c0] [%c32, %c512] [%c1024, %c1]) {id = 2 : i32} : (memref<2048x1024xf32>)
        %q = air.channel.put async [%t] @in[%c1, %c0] (%y[%k, %c512] [%c32, %c512] [%c1024, %c1]) {id = 3 : i32} : (memref<2048x1024xf32>)
        %w = air.wait_all async [%p, %q]
        scf.yield %w : !air.async.token
      }
      %3 = air.segment @s async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d32 = arith.constant 32 : index
        %d2048 = arith.constant 2048 : index
        %s0 = air.wait_all async
        %4 = scf.for %k = %d0 to %d2048 step %d32 iter_args(%t = %s0) -> (!air.async.token) {
          %ta, %a = air.execute -> (memref<32xf32, 1>) {
            %alloc = memref.alloc() : memref<32xf32, 1>
            air.execute_terminator %alloc : memref<32xf32, 1>
          }
          %td, %d = air.execute -> (memref<8xf32, 1>) {
            %alloc = memref.alloc() : memref<8xf32, 1>
            air.execute_terminator %alloc : memref<8xf32, 1>
          }
          %tb, %b = air.execute -> (memref<32x512xf32, 1>) {
            %alloc = memref.alloc() : memref<32x512xf32, 1>
            air.execute_terminator %alloc : memref<32x512xf32, 1>
          }
          %tc, %c = air.execute -> (memref<32x512xf32, 1>) {
            %alloc = memref.alloc() : memref<32x512xf32, 1>
            air.execute_terminator %alloc : memref<32x512xf32, 1>
          }
          %ga = air.channel.get async [%ta, %t] @vector[] (%a[] [] []) {id = 4 : i32} : (memref<32xf32, 1>)
          %gd = air.channel.get async [%td, %t] @slice[] (%d[] [] []) {id = 11 : i32} : (memref<8xf32, 1>)
          %gb = air.channel.get async [%tb, %t] @in[%d0, %d0] (%b[] [] []) {id = 5 : i32} : (memref<32x512xf32, 1>)
          %gc = air.channel.get async [%tc, %t] @in[%d1, %d0] (%c[] [] []) {id = 6 : i32} : (memref<32x512xf32, 1>)
          %pa = air.channel.put async [%ga] @all[] (%a[] [] []) {id = 7 : i32} : (memref<32xf32, 1>)
          %pd = air.channel.put async [%gd] @more[] (%d[] [] []) {id = 12 : i32} : (memref<8xf32, 1>)
          %pb = air.channel.put async [%gb] @out[%d0, %d0] (%b[] [] []) {id = 8 : i32} : (memref<32x512xf32, 1>)
          %pc = air.channel.put async [%gc] @out[%d1, %d0] (%c[] [] []) {id = 9 : i32} : (memref<32x512xf32, 1>)
          %w = air.wait_all async [%pa, %pb, %pc, %pd]
          scf.yield %w : !air.async.token
        }
        %h = air.herd @h async tile (%tx, %ty) in (%sx=%d2, %sy=%d1) {
          %e0 = arith.constant 0 : index
          %e32 = arith.constant 32 : index
          %e2048 = arith.constant 2048 : index
          scf.for %k = %e0 to %e2048 step %e32 {
            %l = memref.alloc() : memref<32xf32, 2>
            %m = memref.alloc() : memref<32x512xf32, 2>
            air.channel.get @all[%tx, %ty] (%l[] [] []) : (memref<32xf32, 2>)
            %r = memref.alloc() : memref<8xf32, 2>
            air.channel.get @more[%tx, %ty] (%r[] [] []) : (memref<8xf32, 2>)
            air.channel.get @out[%tx, %ty] (%m[] [] []) : (memref<32x512xf32, 2>)
            memref.dealloc %r : memref<8xf32, 2>
            memref.dealloc %l : memref<32xf32, 2>
            memref.dealloc %m : memref<32x512xf32, 2>
          }
        }
      }
    }
    return
  }
}
