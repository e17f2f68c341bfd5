// pad on put
module {
  air.channel @c [1]
  func.func @pad(%arg0: memref<6x6xi32>, %arg1: memref<8x8xi32>) {
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %l2 = memref.alloc() : memref<6x6xi32, 1>
    air.dma_memcpy_nd (%l2[] [] [], %arg0[] [] []) : (memref<6x6xi32, 1>, memref<6x6xi32>)
    air.channel.put @c[] (%l2[%c0, %c0] [%c6, %c6] [%c6, %c1]) {pad_before = array<i32: 1, 1>, pad_after = array<i32: 1, 1>} : (memref<6x6xi32, 1>)
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%b=%arg1) : memref<8x8xi32> {
      %l = memref.alloc() : memref<8x8xi32, 2>
      air.channel.get @c[] (%l[] [] []) : (memref<8x8xi32, 2>)
      air.dma_memcpy_nd (%b[] [] [], %l[] [] []) : (memref<8x8xi32>, memref<8x8xi32, 2>)
      memref.dealloc %l : memref<8x8xi32, 2>
    }
    memref.dealloc %l2 : memref<6x6xi32, 1>
    return
  }
}
