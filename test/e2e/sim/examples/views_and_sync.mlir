// One sync for the shims of two columns, views of host buffers, results over the input.
module {
  aie.device(npu1_2col) {
    %s0 = aie.tile(0, 0)
    %s1 = aie.tile(1, 0)
    %m0 = aie.tile(0, 1)
    %m1 = aie.tile(1, 1)
    aie.objectfifo @i0(%s0, {%m0}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @o0(%m0, {%s0}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@i0] -> [@o0]([] [])
    aie.objectfifo @i1(%s1, {%m1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @o1(%m1 dimensionsToStream [<size = 4, stride = 1>, <size = 4, stride = 4>], {%s1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@i1] -> [@o1]([] [])
    aie.runtime_sequence(%x : memref<2x32xi32>, %y : memref<2x32xi32>) {
      %x0 = memref.subview %x[0, 0] [1, 32] [1, 1] : memref<2x32xi32> to memref<1x32xi32, strided<[32, 1]>>
      %x1 = memref.subview %x[1, 0] [1, 32] [1, 1] : memref<2x32xi32> to memref<1x32xi32, strided<[32, 1], offset: 32>>
      %y1 = memref.reinterpret_cast %y to offset: [32], sizes: [32], strides: [1] : memref<2x32xi32> to memref<32xi32, strided<[1], offset: 32>>
      aiex.npu.dma_memcpy_nd(%x0[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @i0} : memref<1x32xi32, strided<[32, 1]>>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @o0} : memref<2x32xi32>
      aiex.npu.dma_memcpy_nd(%x1[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @i1} : memref<1x32xi32, strided<[32, 1], offset: 32>>
      aiex.npu.dma_memcpy_nd(%y1[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, metadata = @o1} : memref<32xi32, strided<[1], offset: 32>>
      aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 2 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
    }
  }
}
