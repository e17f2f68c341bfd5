// RUN: allo-opt --syntax=2026-03 %s --air-alternate-l2-channels --canonicalize --cse --split-input-file | filecheck %s

// Pieces that a plan lets come to pairs of memtiles, in quarters (air-split-l2-pieces): there are four channels for each, and those of
// the vector ride on the first one, to be divided among four (air-split-l2-pieces).

// CHECK:       air.channel @in [8, 1]
// CHECK-NOT:   air.channel @vector
// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c2048{{.*}} step %c32
// CHECK:         %[[V:.*]] = air.channel.put async {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]]] [%c32{{.*}}allo.multiplexed = 4
// CHECK:         air.channel.put async [{{.*}}%[[V]]] @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c0{{.*}}]
// CHECK:         air.channel.put async {{.*}}@in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c512{{.*}}]
// CHECK:       air.segment
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c2048{{.*}} step %c32
// CHECK:           air.channel.get async {{.*}}@in[%c0{{.*}}allo.multiplexed = 4{{.*}}memref<32xf32, 1>
// CHECK-NOT:       allo.multiplexed

module {
  air.channel @in [2, 1]
  air.channel @vector []
  air.channel @all [1, 1] {broadcast_shape = [2, 1]}
  air.channel @out [2, 1]
  func.func @rows(%x: memref<2048x1024xf32>, %v: memref<2048xf32>)
      attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 16>, routes = [{operand = "a", multiplexed = "b", channels = 4 : i64}, {operand = "b", memtiles = 2 : i64, channels = 4 : i64}], spread = 4 : i64}} {
    %one = arith.constant 1 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x, %z=%v) : memref<2048x1024xf32>, memref<2048xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c512 = arith.constant 512 : index
      %c1024 = arith.constant 1024 : index
      %c2048 = arith.constant 2048 : index
      %t0 = air.wait_all async
      %1 = scf.for %k = %c0 to %c2048 step %c32 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @vector[] (%z[%k] [%c32] [%c1]) {id = 1 : i32} : (memref<2048xf32>)
        scf.yield %p : !air.async.token
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
          %tb, %b = air.execute -> (memref<32x512xf32, 1>) {
            %alloc = memref.alloc() : memref<32x512xf32, 1>
            air.execute_terminator %alloc : memref<32x512xf32, 1>
          }
          %tc, %c = air.execute -> (memref<32x512xf32, 1>) {
            %alloc = memref.alloc() : memref<32x512xf32, 1>
            air.execute_terminator %alloc : memref<32x512xf32, 1>
          }
          %ga = air.channel.get async [%ta, %t] @vector[] (%a[] [] []) {id = 4 : i32} : (memref<32xf32, 1>)
          %gb = air.channel.get async [%tb, %t] @in[%d0, %d0] (%b[] [] []) {id = 5 : i32} : (memref<32x512xf32, 1>)
          %gc = air.channel.get async [%tc, %t] @in[%d1, %d0] (%c[] [] []) {id = 6 : i32} : (memref<32x512xf32, 1>)
          %pa = air.channel.put async [%ga] @all[] (%a[] [] []) {id = 7 : i32} : (memref<32xf32, 1>)
          %pb = air.channel.put async [%gb] @out[%d0, %d0] (%b[] [] []) {id = 8 : i32} : (memref<32x512xf32, 1>)
          %pc = air.channel.put async [%gc] @out[%d1, %d0] (%c[] [] []) {id = 9 : i32} : (memref<32x512xf32, 1>)
          %w = air.wait_all async [%pa, %pb, %pc]
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
            air.channel.get @out[%tx, %ty] (%m[] [] []) : (memref<32x512xf32, 2>)
            memref.dealloc %l : memref<32xf32, 2>
            memref.dealloc %m : memref<32x512xf32, 2>
          }
        }
      }
    }
    return
  }
}

// -----

// On two columns of four, pieces take turns on two channels, each with those of the vector in front, in loops half as long whose buffers
// are not doubled again.

// CHECK:       air.channel @in [2, 1]
// CHECK-NOT:   air.channel @vector
// CHECK-LABEL: func.func @by_turns
// CHECK:       scf.for %[[K:.*]] = %c0{{.*}} to %c2048{{.*}} step %c64
// CHECK:         %[[V:.*]] = air.channel.put async {{.*}}@in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]]] [%c32{{.*}}allo.multiplexed
// CHECK:         air.channel.put async [{{.*}}%[[V]]] @in[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%[[K]], %c0{{.*}}]
// CHECK:         %[[N:.*]] = arith.addi %[[K]], %c32
// CHECK:         air.channel.put async {{.*}}@in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[N]]] [%c32{{.*}}allo.multiplexed
// CHECK:         air.channel.put async {{.*}}@in[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%[[N]], %c0{{.*}}]
// CHECK:       air.segment
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c2048{{.*}} step %c64
// CHECK:           air.channel.get async {{.*}}@in[%c0{{.*}}memref<32xf32, 1>
// CHECK:           air.channel.get async {{.*}}@in[%c1{{.*}}memref<32xf32, 1>
// CHECK:         } {air.disable_ping_pong}

module {
  air.channel @in []
  air.channel @vector []
  air.channel @all [1, 1] {broadcast_shape = [2, 1]}
  air.channel @out [2, 1]
  func.func @by_turns(%x: memref<2048x1024xf32>, %v: memref<2048xf32>)
      attributes {allo.plan = {family = "matmul", cores = array<i64: 1, 8>, routes = [{operand = "a", multiplexed = "b", channels = 2 : i64}, {operand = "b", memtiles = 2 : i64, channels = 8 : i64, alternating = 2 : i64}], spread = 2 : i64}} {
    %one = arith.constant 1 : index
    %0 = air.launch async (%i) in (%n=%one) args(%y=%x, %z=%v) : memref<2048x1024xf32>, memref<2048xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c512 = arith.constant 512 : index
      %c1024 = arith.constant 1024 : index
      %c2048 = arith.constant 2048 : index
      %t0 = air.wait_all async
      %1 = scf.for %k = %c0 to %c2048 step %c32 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @vector[] (%z[%k] [%c32] [%c1]) {id = 1 : i32} : (memref<2048xf32>)
        scf.yield %p : !air.async.token
      }
      %2 = scf.for %k = %c0 to %c2048 step %c32 iter_args(%t = %t0) -> (!air.async.token) {
        %p = air.channel.put async [%t] @in[] (%y[%k, %c0] [%c32, %c1024] [%c1024, %c1]) {id = 2 : i32} : (memref<2048x1024xf32>)
        scf.yield %p : !air.async.token
      }
      %3 = air.segment @s async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d32 = arith.constant 32 : index
        %d512 = arith.constant 512 : index
        %d1024 = arith.constant 1024 : index
        %d2048 = arith.constant 2048 : index
        %s0 = air.wait_all async
        %4 = scf.for %k = %d0 to %d2048 step %d32 iter_args(%t = %s0) -> (!air.async.token) {
          %ta, %a = air.execute -> (memref<32xf32, 1>) {
            %alloc = memref.alloc() : memref<32xf32, 1>
            air.execute_terminator %alloc : memref<32xf32, 1>
          }
          %tb, %b = air.execute -> (memref<32x1024xf32, 1>) {
            %alloc = memref.alloc() : memref<32x1024xf32, 1>
            air.execute_terminator %alloc : memref<32x1024xf32, 1>
          }
          %ga = air.channel.get async [%ta, %t] @vector[] (%a[] [] []) {id = 4 : i32} : (memref<32xf32, 1>)
          %gb = air.channel.get async [%tb, %t] @in[] (%b[] [] []) {id = 5 : i32} : (memref<32x1024xf32, 1>)
          %pa = air.channel.put async [%ga] @all[] (%a[] [] []) {id = 7 : i32} : (memref<32xf32, 1>)
          %pb = air.channel.put async [%gb] @out[%d0, %d0] (%b[%d0, %d0] [%d32, %d512] [%d1024, %d1]) {id = 8 : i32} : (memref<32x1024xf32, 1>)
          %pc = air.channel.put async [%gb] @out[%d1, %d0] (%b[%d0, %d512] [%d32, %d512] [%d1024, %d1]) {id = 9 : i32} : (memref<32x1024xf32, 1>)
          %w = air.wait_all async [%pa, %pb, %pc]
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
            air.channel.get @out[%tx, %ty] (%m[] [] []) : (memref<32x512xf32, 2>)
            memref.dealloc %l : memref<32xf32, 2>
            memref.dealloc %m : memref<32x512xf32, 2>
          }
        }
      }
    }
    return
  }
}
