// RUN: allo-opt %s --air-dma-to-channel --canonicalize --cse | filecheck %s

// The loop reads what it wrote in the iteration before: both ends in L2 share a loop, and take turns in it.

// CHECK: %[[START:.*]], %[[L2:.*]] = air.execute -> (memref<64xi32, 1>)
// CHECK: %[[ENDS:.*]] = scf.parallel
// CHECK: scf.for {{.*}} iter_args(%[[TURN:.*]] = %{{.*}}) -> (!air.async.token)
// CHECK: %[[PUT:.*]] = air.channel.put async [%[[TURN]]] @channel_0
// CHECK: %[[GET:.*]] = air.channel.get async [%[[PUT]]] @channel_1
// CHECK: scf.yield %[[GET]]
// CHECK: %[[HERD:.*]] = air.herd @h async [%[[START]]]
// CHECK: air.execute [%[[HERD]], %[[ENDS]]]
// CHECK: memref.dealloc %[[L2]]
func.func @in_place() {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%i) in (%s=%c1) {
    %0 = air.segment @seg async {
      %c2 = arith.constant 2 : index
      %start, %l2 = air.execute -> (memref<64xi32, 1>) {
        %alloc = memref.alloc() : memref<64xi32, 1>
        air.execute_terminator %alloc : memref<64xi32, 1>
      }
      %h = air.herd @h async [%start] tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%m=%l2) : memref<64xi32, 1> {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %at = affine.apply affine_map<()[s0, s1] -> (s0 * 32 + s1 * 16)>()[%x, %y]
        %token, %l1 = air.execute -> (memref<16xi32, 2>) {
          %alloc = memref.alloc() : memref<16xi32, 2>
          air.execute_terminator %alloc : memref<16xi32, 2>
        }
        %1 = scf.for %k = %c0 to %c4 step %c1_0 iter_args(%turn = %token) -> (!air.async.token) {
          %2 = air.dma_memcpy_nd async [%turn] (%l1[] [] [], %m[%at] [%c16] [%c1_0]) : (memref<16xi32, 2>, memref<64xi32, 1>)
          %3 = air.dma_memcpy_nd async [%2] (%m[%at] [%c16] [%c1_0], %l1[] [] []) : (memref<64xi32, 1>, memref<16xi32, 2>)
          scf.yield %3 : !air.async.token
        }
      }
      %free = air.execute [%h] {
        memref.dealloc %l2 : memref<64xi32, 1>
      }
    }
  }
  return
}
