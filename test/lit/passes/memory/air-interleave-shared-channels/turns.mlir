// RUN: allo-opt %s --split-input-file --air-interleave-shared-channels --verify-each=execute | filecheck %s

// The herd gets from both channels in each of four rounds, so that the segment puts to both in each, too.

// CHECK-LABEL: @rounds
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!air.async.token) {
// CHECK-NEXT:      %[[A:.*]] = air.channel.put async [%[[T]]] @a[]
// CHECK-NEXT:      %[[B:.*]] = air.channel.put async [%[[A]]] @b[] (%{{.*}}[%[[I]]]
// CHECK-NEXT:      scf.yield %[[B]]
// CHECK-NOT:     scf.for
// CHECK:         air.herd
air.channel @a [] {fuse_group = 0 : i64}
air.channel @b [] {fuse_group = 0 : i64}
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
air.channel @a [] {fuse_group = 0 : i64}
air.channel @b [] {fuse_group = 0 : i64}
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

// Bundles that are written out: each channel's transfers take turns with those of the same channel of the other bundle.

// CHECK-LABEL: @members
// CHECK:         scf.for
// CHECK-NEXT:      air.channel.put async {{.*}} @a[%c0{{.*}}, %c0
// CHECK-NEXT:      air.channel.put async {{.*}} @b[%c0{{.*}}, %c0
// CHECK:         scf.for
// CHECK-NEXT:      air.channel.put async {{.*}} @a[%c1{{.*}}, %c0
// CHECK-NEXT:      air.channel.put async {{.*}} @b[%c1{{.*}}, %c0
// CHECK-NOT:     scf.for
// CHECK:         air.herd
air.channel @a [2, 1] {fuse_group = 0 : i64}
air.channel @b [2, 1] {fuse_group = 0 : i64}
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

// What is declared between two channels that take turns, and comes in a loop of its own, is no reason to keep these apart.

// CHECK-LABEL: @between
// CHECK:         scf.for
// CHECK-NEXT:      %[[A:.*]] = air.channel.put async {{.*}} @a[]
// CHECK-NEXT:      air.channel.put async [%[[A]]] @b[]
// CHECK:         scf.for
// CHECK-NEXT:      air.channel.put async {{.*}} @c[]
// CHECK-NOT:     air.channel.put
air.channel @a [] {fuse_group = 0 : i64}
air.channel @c [] {fuse_group = 0 : i64}
air.channel @b [] {fuse_group = 0 : i64}
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
air.channel @a [] {fuse_group = 0 : i64}
air.channel @b [] {fuse_group = 0 : i64}
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
