// RUN: allo-opt %s --split-input-file --air-interleave-shared-channels --verify-each=execute | filecheck %s

// The herd gets from both channels in each of four rounds, so that the segment puts to both in each, too.

// CHECK-LABEL: @rounds
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!air.async.token) {
// CHECK-NEXT:      %[[A:.*]] = air.channel.put async [%[[T]]] @a[]
// CHECK-NEXT:      %[[B:.*]] = air.channel.put async [%[[A]]] @b[] (%{{.*}}[%[[I]]]
// CHECK-NEXT:      scf.yield %[[B]]
// CHECK-NOT:     scf.for
// CHECK:         air.herd
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @rounds() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x = memref.alloc() : memref<4xi32, 1>
    %y = memref.alloc() : memref<8xi32, 1>
    %0 = air.wait_all async
    %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @a[] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @b[] (%y[%i] [%c2] [%c1]) : (memref<8xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %3 = air.herd @herd async tile (%h, %v) in (%sx=%c1, %sy=%c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      scf.for %i = %d0 to %d4 step %d1 {
        %l = memref.alloc() : memref<4xi32, 2>
        %m = memref.alloc() : memref<2xi32, 2>
        air.channel.get @a[] (%l[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[] (%m[] [] []) : (memref<2xi32, 2>)
      }
    }
  }
  return
}

// -----

// One after the other in the herd, or loops that run a different number of times: they stay.

// CHECK-LABEL: @apart
// CHECK-COUNT-2: scf.for {{.*}} -> (!air.async.token)
// CHECK:         air.herd
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @apart() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.alloc() : memref<4xi32, 1>
    %0 = air.wait_all async
    %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @a[] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @b[] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %3 = air.herd @herd async tile (%h, %v) in (%sx=%c1, %sy=%c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %l = memref.alloc() : memref<4xi32, 2>
      scf.for %i = %d0 to %d2 step %d1 {
        air.channel.get @a[] (%l[] [] []) : (memref<4xi32, 2>)
      }
      scf.for %i = %d0 to %d2 step %d1 {
        air.channel.get @b[] (%l[] [] []) : (memref<4xi32, 2>)
      }
    }
  }
  return
}

// -----

// Bundles that are unrolled: each channel's transfers take turns with those of the same channel of the other bundle.

// CHECK-LABEL: @members
// CHECK:         scf.for
// CHECK-NEXT:      air.channel.put async {{.*}} @a[%c0{{.*}}, %c0
// CHECK-NEXT:      air.channel.put async {{.*}} @b[%c0{{.*}}, %c0
// CHECK:         scf.for
// CHECK-NEXT:      air.channel.put async {{.*}} @a[%c1{{.*}}, %c0
// CHECK-NEXT:      air.channel.put async {{.*}} @b[%c1{{.*}}, %c0
// CHECK-NOT:     scf.for
// CHECK:         air.herd
air.channel @a [2, 1] {allo.fuse_group = 0 : i64}
air.channel @b [2, 1] {allo.fuse_group = 0 : i64}
func.func @members() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x = memref.alloc() : memref<4xi32, 1>
    %y = memref.alloc() : memref<2xi32, 1>
    %0 = air.wait_all async
    %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @a[%c0, %c0] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @a[%c1, %c0] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @b[%c0, %c0] (%y[] [] []) : (memref<2xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %4 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @b[%c1, %c0] (%y[] [] []) : (memref<2xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %5 = air.herd @herd async tile (%h, %v) in (%sx=%c2, %sy=%c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      scf.for %i = %d0 to %d4 step %d1 {
        %l = memref.alloc() : memref<4xi32, 2>
        %m = memref.alloc() : memref<2xi32, 2>
        air.channel.get @a[%h, %v] (%l[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[%h, %v] (%m[] [] []) : (memref<2xi32, 2>)
      }
    }
  }
  return
}

// -----

// What is declared between two channels that take turns, and comes in a loop of its own, is not a reason to keep these apart.

// CHECK-LABEL: @between
// CHECK:         scf.for
// CHECK-NEXT:      %[[A:.*]] = air.channel.put async {{.*}} @a[]
// CHECK-NEXT:      air.channel.put async [%[[A]]] @b[]
// CHECK:         scf.for
// CHECK-NEXT:      air.channel.put async {{.*}} @c[]
// CHECK-NOT:     air.channel.put
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @c [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @between() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = memref.alloc() : memref<4xi32, 1>
    %0 = air.wait_all async
    %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @a[] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @b[] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %p = air.channel.put async [%t] @c[] (%x[] [] []) : (memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %4 = air.herd @herd_0 async tile (%h, %v) in (%sx=%c1, %sy=%c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d4 = arith.constant 4 : index
      scf.for %i = %d0 to %d4 step %d1 {
        %l = memref.alloc() : memref<4xi32, 2>
        %m = memref.alloc() : memref<4xi32, 2>
        air.channel.get @a[] (%l[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[] (%m[] [] []) : (memref<4xi32, 2>)
      }
      scf.for %i = %d0 to %d4 step %d1 {
        %l = memref.alloc() : memref<4xi32, 2>
        air.channel.get @c[] (%l[] [] []) : (memref<4xi32, 2>)
      }
    }
  }
  return
}

// -----

// Loops in loops are joined, too.
// CHECK-LABEL: @deep
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!air.async.token) {
// CHECK-NEXT:      %[[S:.*]] = scf.for {{.*}} iter_args(%[[U:.*]] = %[[T]]) -> (!air.async.token) {
// CHECK-NEXT:        %[[A:.*]] = air.channel.put async [%[[U]]] @a[]
// CHECK-NEXT:        %[[B:.*]] = air.channel.put async [%[[A]]] @b[]
// CHECK-NEXT:        scf.yield %[[B]]
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %[[S]]
// CHECK-NOT:     scf.for
// CHECK:         air.herd
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @deep() {
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x = memref.alloc() : memref<4xi32, 1>
    %y = memref.alloc() : memref<8xi32, 1>
    %0 = air.wait_all async
    %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %q = scf.for %j = %c0 to %c4 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %p = air.channel.put async [%u] @a[] (%x[] [] []) : (memref<4xi32, 1>)
        scf.yield %p : !air.async.token
      }
      scf.yield %q : !air.async.token
    }
    %2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %0) -> (!air.async.token) {
      %q = scf.for %j = %c0 to %c4 step %c1 iter_args(%u = %t) -> (!air.async.token) {
        %p = air.channel.put async [%u] @b[] (%y[%j] [%c2] [%c1]) : (memref<8xi32, 1>)
        scf.yield %p : !air.async.token
      }
      scf.yield %q : !air.async.token
    }
    %3 = air.herd @herd async tile (%h, %v) in (%sx=%c1, %sy=%c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %d4 = arith.constant 4 : index
      scf.for %i = %d0 to %d2 step %d1 {
        scf.for %j = %d0 to %d4 step %d1 {
          %l = memref.alloc() : memref<4xi32, 2>
          %m = memref.alloc() : memref<2xi32, 2>
          air.channel.get @a[] (%l[] [] []) : (memref<4xi32, 2>)
          air.channel.get @b[] (%m[] [] []) : (memref<2xi32, 2>)
        }
      }
    }
  }
  return
}

// -----

// The herd goes round eight times, the segment four times two: the loops of both are joined, and those that fill their buffers
// are one, too, as the segment gets from both in one.

// CHECK-LABEL: @pieces
// CHECK:         %[[F:.*]] = scf.for {{.*}} to %c4
// CHECK-NEXT:      %[[A:.*]] = air.channel.put async {{.*}} @fill_a[]
// CHECK-NEXT:      %[[B:.*]] = air.channel.put async [%[[A]]] @fill_b[]
// CHECK-NEXT:      scf.yield %[[B]]
// CHECK:         air.segment
// CHECK:           scf.for {{.*}} to %c4
// CHECK:             scf.for {{.*}} to %c2
// CHECK-NEXT:          %[[C:.*]] = air.channel.put async {{.*}} @a[]
// CHECK-NEXT:          air.channel.put async [%[[C]]] @b[]
// CHECK-NOT:         scf.for
// CHECK:           air.herd
air.channel @fill_a [] {allo.fuse_group = 1 : i64}
air.channel @fill_b [] {allo.fuse_group = 1 : i64}
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @pieces(%p: memref<32xi32>, %q: memref<16xi32>) {
  air.launch () in () args(%x=%p, %y=%q) : memref<32xi32>, memref<16xi32> {
    %l0 = arith.constant 0 : index
    %l1 = arith.constant 1 : index
    %l4 = arith.constant 4 : index
    %0 = air.wait_all async
    %1 = scf.for %i = %l0 to %l4 step %l1 iter_args(%t = %0) -> (!air.async.token) {
      %n = air.channel.put async [%t] @fill_a[] (%x[%l0] [%l4] [%l1]) : (memref<32xi32>)
      scf.yield %n : !air.async.token
    }
    %2 = scf.for %i = %l0 to %l4 step %l1 iter_args(%t = %0) -> (!air.async.token) {
      %n = air.channel.put async [%t] @fill_b[] (%y[%l0] [%l4] [%l1]) : (memref<16xi32>)
      scf.yield %n : !air.async.token
    }
    air.segment @seg {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %s = air.wait_all async
      %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
        %m = memref.alloc() : memref<4xi32, 1>
        %n = memref.alloc() : memref<4xi32, 1>
        %g = air.channel.get async [%t] @fill_a[] (%m[] [] []) : (memref<4xi32, 1>)
        %h = air.channel.get async [%t] @fill_b[] (%n[] [] []) : (memref<4xi32, 1>)
        %4 = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %g) -> (!air.async.token) {
          %p2 = air.channel.put async [%u] @a[] (%m[%c0] [%c2] [%c1]) : (memref<4xi32, 1>)
          scf.yield %p2 : !air.async.token
        }
        %5 = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %h) -> (!air.async.token) {
          %p2 = air.channel.put async [%u] @b[] (%n[%c0] [%c2] [%c1]) : (memref<4xi32, 1>)
          scf.yield %p2 : !air.async.token
        }
        %w = air.wait_all async [%4, %5]
        scf.yield %w : !air.async.token
      }
      %6 = air.herd @herd async tile (%h, %v) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d8 = arith.constant 8 : index
        scf.for %i = %d0 to %d8 step %d1 {
          %l = memref.alloc() : memref<2xi32, 2>
          %m = memref.alloc() : memref<2xi32, 2>
          air.channel.get @a[] (%l[] [] []) : (memref<2xi32, 2>)
          air.channel.get @b[] (%m[] [] []) : (memref<2xi32, 2>)
        }
      }
    }
  }
  return
}
