// RUN: allo-opt %s --air-interleave-shared-channels | filecheck %s

// A loop by a multiple of the other's step counts by that: in rows of a buffer here, and in blocks of rows there.
// CHECK:     #[[BY:.*]] = affine_map<(d0) -> (d0 * 16 + 8)>
// CHECK:     scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:       air.channel.put {{.*}}@a[] (%{{.*}}[%[[I]]]
// CHECK:       %[[J:.*]] = affine.apply #[[BY]](%[[I]])
// CHECK:       air.channel.put {{.*}}@b[] (%{{.*}}[%[[J]]]
// CHECK-NOT: scf.for
// CHECK:     air.herd
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @f() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c72 = arith.constant 72 : index
    %x = memref.alloc() : memref<8xi32, 1>
    %y = memref.alloc() : memref<80xi32, 1>
    %t = air.wait_all async
    %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %t) -> (!air.async.token) {
      %3 = air.channel.put async [%d] @a[] (%x[%i] [1] [1]) : (memref<8xi32, 1>)
      scf.yield %3 : !air.async.token
    }
    %2 = scf.for %i = %c8 to %c72 step %c16 iter_args(%d = %t) -> (!air.async.token) {
      %3 = air.channel.put async [%d] @b[] (%y[%i] [1] [1]) : (memref<80xi32, 1>)
      scf.yield %3 : !air.async.token
    }
    air.herd @h tile (%p, %q) in (%m = %c1, %n = %c1) {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i4 = arith.constant 4 : index
      %v = memref.alloc() : memref<8xi32, 2>
      scf.for %i = %i0 to %i4 step %i1 {
        air.channel.get @a[] (%v[0] [1] [1]) : (memref<8xi32, 2>)
        air.channel.get @b[] (%v[0] [1] [1]) : (memref<8xi32, 2>)
      }
    }
  }
  return
}
