// RUN: allo-opt %s --air-fuse-channels | filecheck %s

// The get of @bias waits for the loop, which ends when the herd has received its pieces. So the herd, which takes no buffer of that
// get, waits for the buffer's allocation instead.

// CHECK-LABEL: func.func @released
// CHECK:         %[[ALLOC:[a-z_0-9]+]], %{{.*}} = air.execute -> (memref<8xi32, 1>)
// CHECK:         %[[LOOP:.*]] = scf.for
// CHECK:         %[[GET:.*]] = air.channel.get async [%[[ALLOC]], %[[LOOP]]] @in[]
// CHECK:         air.channel.put async [%[[GET]]] @added[]
// CHECK:         air.herd @sums async [%[[ALLOC]]] tile

// CHECK-LABEL: func.func @takes_the_buffer
// CHECK:         %[[FIRST:.*]] = air.channel.get async @both[]
// CHECK:         %[[SECOND:.*]] = air.channel.get async [%[[FIRST]]] @both[]
// CHECK:         air.herd @reads async [%[[SECOND]]] tile
air.channel @in [] {allo.fuse_group = 0 : i64}
air.channel @bias [] {allo.fuse_group = 0 : i64}
air.channel @pieces []
air.channel @added []
air.channel @out []
func.func @released(%a: memref<32xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %s = air.wait_all async
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> (!air.async.token) {
    %o = arith.muli %i, %c8 : index
    %n = air.channel.put async [%t] @in[] (%a[%o] [8] [1]) : (memref<32xi32>)
    scf.yield %n : !air.async.token
  }
  %1 = air.channel.put async [%0] @bias[] (%b[] [] []) : (memref<8xi32>)
  %2 = air.channel.get async @out[] (%c[] [] []) : (memref<8xi32>)
  %ready, %m = air.execute -> (memref<8xi32, 1>) {
    %alloc = memref.alloc() : memref<8xi32, 1>
    air.execute_terminator %alloc : memref<8xi32, 1>
  }
  %made, %l = air.execute -> (memref<8xi32, 1>) {
    %alloc = memref.alloc() : memref<8xi32, 1>
    air.execute_terminator %alloc : memref<8xi32, 1>
  }
  %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %made) -> (!air.async.token) {
    %n = air.channel.get async [%t] @in[] (%l[] [] []) : (memref<8xi32, 1>)
    %p = air.channel.put async [%n] @pieces[] (%l[] [] []) : (memref<8xi32, 1>)
    scf.yield %p : !air.async.token
  }
  %4 = air.channel.get async [%ready] @bias[] (%m[] [] []) : (memref<8xi32, 1>)
  %5 = air.channel.put async [%4] @added[] (%m[] [] []) : (memref<8xi32, 1>)
  %6 = air.herd @sums async [%4] tile (%x, %y) in (%w = %c1, %h = %c1) {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d4 = arith.constant 4 : index
    %sum = memref.alloc() : memref<8xi32, 2>
    %piece = memref.alloc() : memref<8xi32, 2>
    scf.for %i = %d0 to %d4 step %d1 {
      air.channel.get @pieces[] (%piece[] [] []) : (memref<8xi32, 2>)
    }
    air.channel.get @added[] (%sum[] [] []) : (memref<8xi32, 2>)
    linalg.add ins(%sum, %piece : memref<8xi32, 2>, memref<8xi32, 2>) outs(%sum : memref<8xi32, 2>)
    air.channel.put @out[] (%sum[] [] []) : (memref<8xi32, 2>)
  }
  air.wait_all [%2, %5, %6]
  return
}

air.channel @both [] {allo.fuse_group = 1 : i64}
air.channel @second [] {allo.fuse_group = 1 : i64}
func.func @takes_the_buffer(%a: memref<8xi32, 1>, %b: memref<8xi32, 1>) {
  %c1 = arith.constant 1 : index
  %0 = air.channel.get async @both[] (%a[] [] []) : (memref<8xi32, 1>)
  %1 = air.channel.get async @second[] (%b[] [] []) : (memref<8xi32, 1>)
  %2 = air.herd @reads async [%1] tile (%x, %y) in (%w = %c1, %h = %c1) args(%m = %b) : memref<8xi32, 1> {
  }
  air.wait_all [%2]
  return
}
