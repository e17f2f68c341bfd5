// RUN: allo-opt %s --air-dependency --air-dma-to-channel | filecheck %s

// The loop outside keeps what its like inside says of it.
// CHECK-COUNT-2: {air.disable_ping_pong, loop_annotation = "x"}
func.func @f(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s=%c1) args(%la=%a) : memref<64xi32> {
    %c1_0 = arith.constant 1 : index
    air.segment @s args(%m=%la) : memref<64xi32> {
      %c1_1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%c1_1, %sy=%c1_1) args(%n=%m) : memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c1_2 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c64 = arith.constant 64 : index
        scf.for %k = %c0 to %c64 step %c8 {
          %in = memref.alloc() : memref<8xi32, 2>
          air.dma_memcpy_nd (%in[] [] [], %n[%k] [%c8] [%c1_2]) : (memref<8xi32, 2>, memref<64xi32>)
          memref.dealloc %in : memref<8xi32, 2>
        } {air.disable_ping_pong, loop_annotation = "x"}
      }
    }
  }
  return
}
