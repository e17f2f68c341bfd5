// RUN: allo-opt --link-kernels %s | filecheck %s

// The same as longer-read.mlir, where the two kernels are devices that do not fit beside one another.

// CHECK:      aie.runtime_sequence @program(%{{.*}}: memref<48xi32>, %[[Y:.*]]: memref<64xi32>, %[[Z:.*]]: memref<64xi32>) {
// CHECK:        aiex.run @copy(
// CHECK:        aiex.run @other(%[[Y]], %[[Z]])
aie.device(npu1_1col) @first {
  %t = aie.tile(0, 0)
  %c = aie.tile(0, 2)
  aie.core(%c) {
    aie.end
  }
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.runtime_sequence @copy(%a: memref<48xi32>, %b: memref<48xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<48xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<48xi32>
  }
}
aie.device(npu1_1col) @second {
  %t = aie.tile(0, 0)
  %c = aie.tile(0, 2)
  aie.core(%c) {
    aie.end
  }
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.runtime_sequence @other(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
  }
}
func.func private @copy(memref<48xi32>, memref<48xi32>)
func.func private @other(memref<64xi32>, memref<64xi32>)
func.func @program(%x: memref<48xi32>, %y: memref<48xi32>, %z: memref<64xi32>) attributes {allo_air.host_buffers = {
    takes = [tensor<48xi32>], holds = [{argument = 0 : i64, view = array<i64: 48>}],
    gives = [{place = 1 : i64, type = tensor<48xi32>, view = array<i64: 48>},
      {place = 2 : i64, type = tensor<64xi32>, view = array<i64: 64>}]}} {
  call @copy(%x, %y) : (memref<48xi32>, memref<48xi32>) -> ()
  %l = memref.alloc() : memref<64xi32>
  %front = memref.subview %l[0] [48] [1] : memref<64xi32> to memref<48xi32, strided<[1]>>
  memref.copy %y, %front : memref<48xi32> to memref<48xi32, strided<[1]>>
  call @other(%l, %z) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}
