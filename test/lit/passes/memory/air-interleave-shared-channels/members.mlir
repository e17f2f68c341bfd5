// RUN: allo-opt %s --air-interleave-shared-channels | filecheck %s

// Each core's slices of one operand are put in a loop of their own, by a multiple of the step of the loop that puts all slices of
// the other operand. All become one loop: its variable is multiplied where the slices are read.
// CHECK:     #[[BY:.*]] = affine_map<(d0) -> (d0 * 24 - 16)>
// CHECK:     scf.for %[[I:.*]] = %c1{{.*}} to %c3{{.*}} step %c1{{.*}} iter_args
// CHECK:       %[[J:.*]] = affine.apply #[[BY]](%[[I]])
// CHECK:       air.channel.put {{.*}}@a[%{{.*}}, %c0{{.*}}] (%{{.*}}[0, %[[J]]]
// CHECK:       air.channel.put {{.*}}@a[%{{.*}}, %c1{{.*}}] (%{{.*}}[1, %{{.*}}]
// CHECK:       air.channel.put {{.*}}@b[%{{.*}}, %c0{{.*}}] (%{{.*}}[0, %[[I]]]
// CHECK:       air.channel.put {{.*}}@b[%{{.*}}, %c1{{.*}}] (%{{.*}}[1, %[[I]]]
// CHECK-NOT: scf.for
// CHECK:     air.herd
air.channel @a [1, 2] {allo.fuse_group = 0 : i64}
air.channel @b [1, 2] {allo.fuse_group = 0 : i64}
func.func @f() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    %c56 = arith.constant 56 : index
    %x = memref.alloc() : memref<2x56xi32, 1>
    %y = memref.alloc() : memref<2x4xi32, 1>
    %t = air.wait_all async
    %1 = scf.for %i = %c8 to %c56 step %c24 iter_args(%d = %t) -> (!air.async.token) {
      %4 = air.channel.put async [%d] @a[%c0, %c0] (%x[0, %i] [1, 24] [56, 1]) : (memref<2x56xi32, 1>)
      scf.yield %4 : !air.async.token
    }
    %2 = scf.for %i = %c8 to %c56 step %c24 iter_args(%d = %t) -> (!air.async.token) {
      %4 = air.channel.put async [%d] @a[%c0, %c1] (%x[1, %i] [1, 24] [56, 1]) : (memref<2x56xi32, 1>)
      scf.yield %4 : !air.async.token
    }
    %3 = scf.for %i = %c1 to %c3 step %c1 iter_args(%d = %t) -> (!air.async.token) {
      %4 = air.channel.put async [%d] @b[%c0, %c0] (%y[0, %i] [1, 1] [4, 1]) : (memref<2x4xi32, 1>)
      %5 = air.channel.put async [%d] @b[%c0, %c1] (%y[1, %i] [1, 1] [4, 1]) : (memref<2x4xi32, 1>)
      %6 = air.wait_all async [%4, %5]
      scf.yield %6 : !air.async.token
    }
    air.herd @h tile (%p, %q) in (%m = %c1, %n = %c2) {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i2 = arith.constant 2 : index
      %v = memref.alloc() : memref<24xi32, 2>
      %w = memref.alloc() : memref<1xi32, 2>
      scf.for %i = %i0 to %i2 step %i1 {
        air.channel.get @a[%p, %q] (%v[] [] []) : (memref<24xi32, 2>)
        air.channel.get @b[%p, %q] (%w[] [] []) : (memref<1xi32, 2>)
      }
    }
  }
  return
}
