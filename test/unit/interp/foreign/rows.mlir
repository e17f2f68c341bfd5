// air.if chains on channel per row (specialize-dma-broadcast result)
#set = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 3 >= 0)>
#set1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 3 >= 0)>
#set2 = affine_set<()[s0, s1] : (s0 - 2 == 0, s1 >= 0, -s1 + 3 >= 0)>
module {
  func.func @rows(%arg0: memref<4x32xi32>, %arg1: memref<4x4x32xi32>) {
    %c4 = arith.constant 4 : index
    air.herd @h tile (%x, %y) in (%sx=%c4, %sy=%c4) args(%a=%arg0, %b=%arg1) : memref<4x32xi32>, memref<4x4x32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %l = memref.alloc() : memref<32xi32, 2>
      affine.if #set()[%x, %y] {
        air.dma_memcpy_nd (%l[] [] [], %a[%c0, %c0] [%c1, %c32] [%c32, %c1]) {broadcast_set = #set, id = 1 : i32} : (memref<32xi32, 2>, memref<4x32xi32>)
      } else {
        affine.if #set1()[%x, %y] {
          air.dma_memcpy_nd (%l[] [] [], %a[%c1, %c0] [%c1, %c32] [%c32, %c1]) {broadcast_set = #set1, id = 2 : i32} : (memref<32xi32, 2>, memref<4x32xi32>)
        } else {
          affine.if #set2()[%x, %y] {
            air.dma_memcpy_nd (%l[] [] [], %a[%c2, %c0] [%c1, %c32] [%c32, %c1]) {broadcast_set = #set2, id = 3 : i32} : (memref<32xi32, 2>, memref<4x32xi32>)
          } else {
            air.dma_memcpy_nd (%l[] [] [], %a[%c3, %c0] [%c1, %c32] [%c32, %c1]) {id = 4 : i32} : (memref<32xi32, 2>, memref<4x32xi32>)
          }
        }
      }
      air.dma_memcpy_nd (%b[%x, %y, %c0] [%c1, %c1, %c32] [%c128, %c32, %c1], %l[] [] []) {id = 5 : i32} : (memref<4x4x32xi32>, memref<32xi32, 2>)
      memref.dealloc %l : memref<32xi32, 2>
    }
    return
  }
}
