// RUN: allo-opt %s --air-ping-pong-transform --verify-each=execute | filecheck %s

// Two loops that share a resident ring: one pair of buffers, freed after the second, which starts when the first is done with them.
// CHECK-COUNT-2: memref.alloc() : memref<4xi32, 2>
// CHECK: %[[R:.*]]:4 = scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[R]]#1, %{{.*}} = %[[R]]#1,
// CHECK-COUNT-2: memref.dealloc
air.channel @in []
air.channel @out []
func.func @f(%x: memref<32xi32>, %y: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.channel.put @in[] (%x[] [] []) : (memref<32xi32>)
  air.channel.get @out[] (%y[] [] []) : (memref<32xi32>)
  air.herd tile (%i, %j) in (%sx=%c1, %sy=%c1) {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d4 = arith.constant 4 : index
    %s = air.wait_all async
    %r = scf.for %k = %d0 to %d4 step %d1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 2>) {
        %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
        air.execute_terminator %alloc : memref<4xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
      %2 = air.channel.put async [%1] @out[] (%m[] [] []) : (memref<4xi32, 2>)
      %3 = air.execute [%2] {
        memref.dealloc %m : memref<4xi32, 2>
      }
      scf.yield %3 : !air.async.token
    } {unroll = 2 : i32, air.shared_resident_ring}
    %q = scf.for %k = %d0 to %d4 step %d1 iter_args(%t = %r) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 2>) {
        %alloc = memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
        air.execute_terminator %alloc : memref<4xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
      %2 = air.channel.put async [%1] @out[] (%m[] [] []) : (memref<4xi32, 2>)
      %3 = air.execute [%2] {
        memref.dealloc %m : memref<4xi32, 2>
      }
      scf.yield %3 : !air.async.token
    } {unroll = 2 : i32, air.shared_resident_ring}
  }
  return
}
