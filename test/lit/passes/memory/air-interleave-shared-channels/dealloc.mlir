// RUN: allo-opt %s --air-interleave-shared-channels | filecheck %s

// The first loop's buffer is given back after both, as nothing of the second needs it; its own buffer is made before.
// CHECK:     scf.for
// CHECK:       air.channel.put {{.*}}@a[]
// CHECK:       air.channel.put {{.*}}@b[]
// CHECK:     memref.dealloc
air.channel @a [] {allo.fuse_group = 0 : i64}
air.channel @b [] {allo.fuse_group = 0 : i64}
func.func @f() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %x = memref.alloc() : memref<8xi32, 1>
    %t = air.wait_all async
    %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %t) -> (!air.async.token) {
      %3 = air.channel.put async [%d] @a[] (%x[] [] []) : (memref<8xi32, 1>)
      scf.yield %3 : !air.async.token
    }
    %free = air.execute [%1] {
      memref.dealloc %x : memref<8xi32, 1>
    }
    %u, %y = air.execute -> (memref<8xi32, 1>) {
      %n = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %n : memref<8xi32, 1>
    }
    %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %u) -> (!air.async.token) {
      %3 = air.channel.put async [%d] @b[] (%y[] [] []) : (memref<8xi32, 1>)
      scf.yield %3 : !air.async.token
    }
    air.herd @h tile (%p, %q) in (%m = %c1, %n = %c1) {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i4 = arith.constant 4 : index
      %v = memref.alloc() : memref<8xi32, 2>
      scf.for %i = %i0 to %i4 step %i1 {
        air.channel.get @a[] (%v[] [] []) : (memref<8xi32, 2>)
        air.channel.get @b[] (%v[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}
