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

// The arguments could be one buffer. What is written comes out after what was read went in, by the tokens of the copies, so
// that the get needs none: it would not start before all puts are through.

// CHECK-LABEL: func.func @out
// CHECK: scf.for
// CHECK: air.channel.put async [%{{.*}}] @channel_{{[0-9]+}}[]
// CHECK: air.channel.get async @channel_{{[0-9]+}}[]
// CHECK: air.segment @seg
func.func @out(%a: memref<64xi32>, %c: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%i) in (%s=%c1) args(%la=%a, %lc=%c) : memref<64xi32>, memref<64xi32> {
    %0 = air.segment @seg async args(%sa=%la, %sc=%lc) : memref<64xi32>, memref<64xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %start, %l2 = air.execute -> (memref<64xi32, 1>) {
        %alloc = memref.alloc() : memref<64xi32, 1>
        air.execute_terminator %alloc : memref<64xi32, 1>
      }
      %in = scf.for %k = %c0 to %c64 step %c16 iter_args(%turn = %start) -> (!air.async.token) {
        %1 = air.dma_memcpy_nd async [%turn] (%l2[%k] [%c16] [%c1_0], %sa[%k] [%c16] [%c1_0]) : (memref<64xi32, 1>, memref<64xi32>)
        scf.yield %1 : !air.async.token
      }
      %out = air.dma_memcpy_nd async [%in] (%sc[] [] [], %l2[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
      %free = air.execute [%out] {
        memref.dealloc %l2 : memref<64xi32, 1>
      }
    }
  }
  return
}
