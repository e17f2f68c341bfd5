// cascade fixed
module {
  air.channel @casc [3] {channel_type = "npu_cascade"}
  func.func @cascade(%arg0: memref<4x32xi32>, %arg1: memref<32xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c4) args(%a=%arg0, %o=%arg1) : memref<4x32xi32>, memref<32xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %in = memref.alloc() : memref<32xi32, 2>
      %acc = memref.alloc() : memref<32xi32, 2>
      air.dma_memcpy_nd (%in[] [] [], %a[%y, %c0] [%c1_0, %c32] [%c32, %c1_0]) : (memref<32xi32, 2>, memref<4x32xi32>)
      %last = arith.cmpi eq, %y, %c3 : index
      %p = arith.subi %y, %c1_0 : index
      scf.if %last {
        air.channel.put @casc[%p] (%in[] [] []) : (memref<32xi32, 2>)
      } else {
        %first = arith.cmpi eq, %y, %c0 : index
        air.channel.get @casc[%y] (%acc[] [] []) : (memref<32xi32, 2>)
        linalg.add ins(%in, %acc : memref<32xi32, 2>, memref<32xi32, 2>) outs(%acc : memref<32xi32, 2>)
        scf.if %first {
          air.dma_memcpy_nd (%o[] [] [], %acc[] [] []) : (memref<32xi32>, memref<32xi32, 2>)
        } else {
          air.channel.put @casc[%p] (%acc[] [] []) : (memref<32xi32, 2>)
        }
      }
      air.herd_terminator
    }
    return
  }
}
