// RUN: allo-opt %s --air-annotate-refeed --split-input-file | filecheck %s

// CHECK-LABEL: func.func @l2
// CHECK: memref.alloc() {air.refeed_count = 12 : i64} : memref<8xi32, 1>
// CHECK-NOT: scf.for
// CHECK: air.channel.put @c[] (%{{.*}}[] [] []) : (memref<8xi32, 1>)
air.channel @c []
func.func @l2() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() : memref<8xi32, 1>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 1>)
      }
    }
  }
  return
}

// -----

// Side by side they add up; tokens go on; an L1 buffer's count is on the put.
// CHECK-LABEL: func.func @several
// CHECK: memref.alloc() {air.refeed_count = 5 : i64} : memref<8xi32, 1>
// CHECK: %[[P:.*]] = air.channel.put async [%[[T:.*]]] @c[] (%{{.*}}) : (memref<8xi32, 1>)
// CHECK: %[[Q:.*]] = air.channel.put async [%[[P]]] @d[] (%{{.*}}) : (memref<8xi32, 1>)
// CHECK: air.wait_all [%[[Q]]]
// CHECK: air.herd
// CHECK: air.channel.put @e[] (%{{.*}}[] [] []) {air.refeed_count = 4 : i64} : (memref<8xi32, 2>)
// CHECK: memref.alloc() : memref<4xi32, 2>
air.channel @c []
air.channel @d []
air.channel @e []
func.func @several() {
  air.segment @s {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %t, %m = air.execute -> (memref<8xi32, 1>) {
      %a = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %a : memref<8xi32, 1>
    }
    %p = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %t) -> (!air.async.token) {
      %1 = air.channel.put async [%u] @c[] (%m[] [] []) : (memref<8xi32, 1>)
      scf.yield %1 : !air.async.token
    }
    %q = scf.for %i = %c0 to %c2 step %c1 iter_args(%u = %p) -> (!air.async.token) {
      %1 = air.channel.put async [%u] @d[] (%m[] [] []) : (memref<8xi32, 1>)
      scf.yield %1 : !air.async.token
    }
    air.wait_all [%q]
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %b = memref.alloc() : memref<8xi32, 2>
      affine.for %i = 0 to 4 {
        air.channel.put @e[] (%b[] [] []) : (memref<8xi32, 2>)
      }
      %k = memref.alloc() : memref<4xi32, 2>
    }
  }
  return
}

// -----

// These stay: an unknown number, a part that moves, another operation beside it, external memory, a single trip.
// CHECK-LABEL: func.func @stay
// CHECK-NOT: refeed
// CHECK-COUNT-5: scf.for
air.channel @c []
func.func @stay(%n: index, %e: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %n step %c1 {
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 1>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.put @c[] (%m[%i] [%c1] [%c1]) : (memref<8xi32, 1>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.get @c[] (%m[] [] []) : (memref<8xi32, 1>)
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 1>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.put @c[] (%e[] [] []) : (memref<8xi32>)
  }
  scf.for %i = %c0 to %c1 step %c1 {
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 1>)
  }
  return
}
