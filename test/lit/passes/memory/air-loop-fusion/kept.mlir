// RUN: allo-opt %s --air-loop-fusion --canonicalize --cse | filecheck %s

air.channel @in []
air.channel @out []
air.channel @out2 []

// The core empties one channel before it turns to the other: it would wait for the second half of @out, which would wait for
// @out2 to be taken. The nests stay apart, and the buffer whole.

// CHECK-LABEL: func.func @out_of_step
// CHECK:       memref.alloc() : memref<8xf32, 1>
// CHECK-COUNT-3: scf.for
// CHECK:       air.herd
func.func @out_of_step() {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %t, %m = air.execute -> (memref<8xf32, 1>) {
        %alloc = memref.alloc() : memref<8xf32, 1>
        air.execute_terminator %alloc : memref<8xf32, 1>
      }
      %g = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @in[] (%m[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %g) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out[] (%m[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %q = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %g) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out2[] (%m[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %h = air.herd @h async tile (%a, %b) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %v = memref.alloc() : memref<4xf32, 2>
        scf.for %k = %d0 to %d2 step %d1 {
          air.channel.get @out[] (%v[] [] []) : (memref<4xf32, 2>)
        }
        scf.for %k = %d0 to %d2 step %d1 {
          air.channel.get @out2[] (%v[] [] []) : (memref<4xf32, 2>)
        }
      }
      %e = air.execute [%p, %q] {
        memref.dealloc %m : memref<8xf32, 1>
      }
    }
  }
  return
}

// Puts that read what a later iteration brings, read twice in a row, or share their channel; a gap in what is written.

// CHECK-LABEL: func.func @not_filled
// CHECK-COUNT-8: scf.for
// CHECK-NOT:   scf.for
func.func @not_filled() {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %t, %m = air.execute -> (memref<8xf32, 1>) {
        %alloc = memref.alloc() : memref<8xf32, 1>
        air.execute_terminator %alloc : memref<8xf32, 1>
      }
      %g = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @in[] (%m[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %g) -> (!air.async.token) {
        %o = affine.apply affine_map<()[s0] -> (4 - s0)>()[%k]
        %2 = air.channel.put async [%u] @out[] (%m[%o] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %e = air.execute [%p] {
        memref.dealloc %m : memref<8xf32, 1>
      }
      %t1, %m1 = air.execute [%p] -> (memref<8xf32, 1>) {
        %alloc = memref.alloc() : memref<8xf32, 1>
        air.execute_terminator %alloc : memref<8xf32, 1>
      }
      %g1 = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %t1) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @in[] (%m1[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p1 = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %g1) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out[] (%m1[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %q1 = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %p1) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out[] (%m1[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %e1 = air.execute [%q1] {
        memref.dealloc %m1 : memref<8xf32, 1>
      }
      %t2, %m2 = air.execute [%q1] -> (memref<8xf32, 1>) {
        %alloc = memref.alloc() : memref<8xf32, 1>
        air.execute_terminator %alloc : memref<8xf32, 1>
      }
      %g2 = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %t2) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @in[] (%m2[%k] [%c2] [%c2]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p2 = scf.for %k = %c0 to %c8 step %c4 iter_args(%u = %g2) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out[] (%m2[%k] [%c4] [%c1]) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %q2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%u = %p2) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @out2[] (%m2[] [] []) : (memref<8xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %e2 = air.execute [%q2] {
        memref.dealloc %m2 : memref<8xf32, 1>
      }
    }
  }
  return
}

// Channel @shared brings all of the first buffer and then the second one, but each step of the core takes a piece of both. If the
// first buffer held two pieces, its third piece would block the channel, and the second buffer, until the core takes a step.

// CHECK-LABEL: func.func @before_later_data
// CHECK:       memref.alloc() : memref<16xf32, 1>
// CHECK-COUNT-2: scf.for
// CHECK:       air.herd
air.channel @shared []
air.channel @first []
air.channel @second []
func.func @before_later_data() {
  %one = arith.constant 1 : index
  %0 = air.launch async (%i) in (%n=%one) {
    %1 = air.segment @s async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %t, %m = air.execute -> (memref<16xf32, 1>) {
        %alloc = memref.alloc() : memref<16xf32, 1>
        air.execute_terminator %alloc : memref<16xf32, 1>
      }
      %t2, %m2 = air.execute -> (memref<8xf32, 1>) {
        %alloc = memref.alloc() : memref<8xf32, 1>
        air.execute_terminator %alloc : memref<8xf32, 1>
      }
      %g = scf.for %k = %c0 to %c16 step %c4 iter_args(%u = %t) -> (!air.async.token) {
        %2 = air.channel.get async [%u] @shared[] (%m[%k] [%c4] [%c1]) : (memref<16xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %p = scf.for %k = %c0 to %c16 step %c4 iter_args(%u = %g) -> (!air.async.token) {
        %2 = air.channel.put async [%u] @first[] (%m[%k] [%c4] [%c1]) : (memref<16xf32, 1>)
        scf.yield %2 : !air.async.token
      }
      %g2 = air.channel.get async [%t2, %g] @shared[] (%m2[] [] []) : (memref<8xf32, 1>)
      %p2 = air.channel.put async [%g2] @second[] (%m2[] [] []) : (memref<8xf32, 1>)
      %h = air.herd @h async tile (%a, %b) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d4 = arith.constant 4 : index
        %v = memref.alloc() : memref<4xf32, 2>
        %w = memref.alloc() : memref<2xf32, 2>
        scf.for %k = %d0 to %d4 step %d1 {
          air.channel.get @first[] (%v[] [] []) : (memref<4xf32, 2>)
          air.channel.get @second[] (%w[] [] []) : (memref<2xf32, 2>)
        }
      }
      %e = air.execute [%p, %p2] {
        memref.dealloc %m : memref<16xf32, 1>
      }
      %e2 = air.execute [%p2] {
        memref.dealloc %m2 : memref<8xf32, 1>
      }
    }
  }
  return
}
