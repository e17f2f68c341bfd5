// Parts of a buffer that share no element are brought back beside each other; those that do, one after another.
// RUN: allo-opt --syntax=2026-03 %s --air-dma-to-channel --canonicalize | filecheck %s

// CHECK-LABEL: func.func @halves
// CHECK: = air.channel.get async @{{[^%]*}} (%{{.*}}[%c0] [%c32] [%c1])
// CHECK: = air.channel.get async @{{[^%]*}} (%{{.*}}[%c32] [%c32] [%c1])
// CHECK-LABEL: func.func @lapping
// CHECK: %[[FIRST:.*]] = air.channel.get async @{{[^%]*}} (%{{.*}}[%c0] [%c32] [%c1])
// CHECK: air.channel.get async [%[[FIRST]]] @{{[^%]*}} (%{{.*}}[%c16] [%c32] [%c1])

func.func @halves(%a: memref<64xi32>) {
  %0 = air.launch async () in () args(%m=%a) : memref<64xi32> {
    %1 = air.segment @halves_0 async args(%n=%m) : memref<64xi32> {
      %o1 = arith.constant 0 : index
      %o2 = arith.constant 32 : index
      %c32 = arith.constant 32 : index
      %s = arith.constant 1 : index
      %t, %x = air.execute -> (memref<32xi32, 1>) {
        %alloc = memref.alloc() : memref<32xi32, 1>
        air.execute_terminator %alloc : memref<32xi32, 1>
      }
      %u, %y = air.execute -> (memref<32xi32, 1>) {
        %alloc = memref.alloc() : memref<32xi32, 1>
        air.execute_terminator %alloc : memref<32xi32, 1>
      }
      %2 = air.dma_memcpy_nd async [%t] (%n[%o1] [%c32] [%s], %x[] [] []) {id = 1 : i32} : (memref<64xi32>, memref<32xi32, 1>)
      %3 = air.dma_memcpy_nd async [%u] (%n[%o2] [%c32] [%s], %y[] [] []) {id = 2 : i32} : (memref<64xi32>, memref<32xi32, 1>)
    }
  }
  return
}

func.func @lapping(%a: memref<64xi32>) {
  %0 = air.launch async () in () args(%m=%a) : memref<64xi32> {
    %1 = air.segment @lapping_0 async args(%n=%m) : memref<64xi32> {
      %o1 = arith.constant 0 : index
      %o2 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %s = arith.constant 1 : index
      %t, %x = air.execute -> (memref<32xi32, 1>) {
        %alloc = memref.alloc() : memref<32xi32, 1>
        air.execute_terminator %alloc : memref<32xi32, 1>
      }
      %u, %y = air.execute -> (memref<32xi32, 1>) {
        %alloc = memref.alloc() : memref<32xi32, 1>
        air.execute_terminator %alloc : memref<32xi32, 1>
      }
      %2 = air.dma_memcpy_nd async [%t] (%n[%o1] [%c32] [%s], %x[] [] []) {id = 1 : i32} : (memref<64xi32>, memref<32xi32, 1>)
      %3 = air.dma_memcpy_nd async [%u, %2] (%n[%o2] [%c32] [%s], %y[] [] []) {id = 2 : i32} : (memref<64xi32>, memref<32xi32, 1>)
    }
  }
  return
}
