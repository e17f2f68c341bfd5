// RUN: allo-opt %s --link-kernels | filecheck %s

// One allocation that two copies fill, one after another, is two buffers: what is copied is computed in them.
// CHECK: @program(%arg0: memref<64xi32>, %arg1: memref<64xi32>, %arg2: memref<64xi32>, %arg3: memref<80xi32>, %arg4: memref<80xi32>)
// CHECK: aiex.run @copy(%arg0, %[[A:[a-z_0-9]*]])
// CHECK: aiex.run @copy(%[[A]], %[[B:[a-z_0-9]*]])
// CHECK: aiex.run @copy(%[[A]], %arg1)
// CHECK: aiex.run @copy(%[[B]], %arg2)
aie.device(npu1) @first {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.flow(%t, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @copy(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
func.func private @copy(memref<64xi32>, memref<64xi32>)
func.func @program(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %long = memref.alloc() : memref<80xi32>
  %part = memref.subview %long[0] [64] [1] : memref<80xi32> to memref<64xi32, strided<[1]>>
  %again = memref.cast %part : memref<64xi32, strided<[1]>> to memref<64xi32>
  %a = memref.alloc() : memref<64xi32>
  call @copy(%x, %a) : (memref<64xi32>, memref<64xi32>) -> ()
  %b = memref.alloc() : memref<64xi32>
  call @copy(%a, %b) : (memref<64xi32>, memref<64xi32>) -> ()
  memref.copy %a, %part : memref<64xi32> to memref<64xi32, strided<[1]>>
  call @copy(%again, %y) : (memref<64xi32>, memref<64xi32>) -> ()
  memref.copy %b, %part : memref<64xi32> to memref<64xi32, strided<[1]>>
  call @copy(%again, %z) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}
