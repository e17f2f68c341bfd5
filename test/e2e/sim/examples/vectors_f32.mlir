// Vectors of f32 in a core: constants in a memref.global, fma, reductions, shuffles, slices, transposes, rounding to bf16.
module {
  aie.device(npu2_1col) {
    memref.global "private" constant @lut : memref<16xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]>
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    aie.objectfifo @x(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<16xf32>>
    aie.objectfifo @y(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<8x16xf32>>
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %c16 = arith.constant 16 : index
      %zf = arith.constant 0.0 : f32
      %sx = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<16xf32>>
      %x = aie.objectfifo.subview.access %sx[0] : !aie.objectfifosubview<memref<16xf32>> -> memref<16xf32>
      %sy = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<8x16xf32>>
      %y = aie.objectfifo.subview.access %sy[0] : !aie.objectfifosubview<memref<8x16xf32>> -> memref<8x16xf32>
      %lut = memref.get_global @lut : memref<16xf32>
      %v = vector.load %x[%c0] : memref<16xf32>, vector<16xf32>
      %l = vector.transfer_read %lut[%c0], %zf : memref<16xf32>, vector<16xf32>
      %fma = vector.fma %v, %l, %l : vector<16xf32>
      vector.store %fma, %y[%c0, %c0] : memref<8x16xf32>, vector<16xf32>
      %sum = vector.reduction <add>, %v : vector<16xf32> into f32
      %max = vector.reduction <maximumf>, %v : vector<16xf32> into f32
      %d = arith.subf %max, %sum : f32
      %bd = vector.broadcast %d : f32 to vector<16xf32>
      vector.store %bd, %y[%c1, %c0] : memref<8x16xf32>, vector<16xf32>
      %sh = vector.shuffle %v, %l [15, 14, 13, 12, 11, 10, 9, 8, 16, 17, 18, 19, 20, 21, 22, 23] : vector<16xf32>, vector<16xf32>
      vector.store %sh, %y[%c2, %c0] : memref<8x16xf32>, vector<16xf32>
      scf.for %once = %c0 to %c1 step %c1 {
      %tmp = memref.alloca() : memref<16xf32>
      scf.for %i = %c0 to %c16 step %c1 {
        %a = memref.load %x[%i] : memref<16xf32>
        %aa = math.absf %a : f32
        %r = math.sqrt %aa : f32
        memref.store %r, %tmp[%i] : memref<16xf32>
      }
      %t = vector.load %tmp[%c0] : memref<16xf32>, vector<16xf32>
      vector.store %t, %y[%c3, %c0] : memref<8x16xf32>, vector<16xf32>
      }
      %cmp = arith.cmpf ogt, %v, %l : vector<16xf32>
      %sel = arith.select %cmp, %v, %l : vector<16xi1>, vector<16xf32>
      vector.store %sel, %y[%c4, %c0] : memref<8x16xf32>, vector<16xf32>
      %m2 = vector.shape_cast %v : vector<16xf32> to vector<4x4xf32>
      %tr = vector.transpose %m2, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
      %fl = vector.shape_cast %tr : vector<4x4xf32> to vector<16xf32>
      vector.store %fl, %y[%c5, %c0] : memref<8x16xf32>, vector<16xf32>
      %b16 = arith.truncf %fma : vector<16xf32> to vector<16xbf16>
      %b16b = arith.addf %b16, %b16 : vector<16xbf16>
      %back = arith.extf %b16b : vector<16xbf16> to vector<16xf32>
      vector.store %back, %y[%c6, %c0] : memref<8x16xf32>, vector<16xf32>
      %cst = arith.constant dense<0.0> : vector<16xf32>
      %lane = vector.extract %v[3] : f32 from vector<16xf32>
      %ins = vector.insert %lane, %cst [7] : f32 into vector<16xf32>
      %rows = vector.extract_strided_slice %v {offsets = [8], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
      %ins2 = vector.insert_strided_slice %rows, %ins {offsets = [12], strides = [1]} : vector<4xf32> into vector<16xf32>
      vector.store %ins2, %y[%c7, %c0] : memref<8x16xf32>, vector<16xf32>
      aie.objectfifo.release @x(Consume, 1)
      aie.objectfifo.release @y(Produce, 1)
      aie.end
    } {stack_size = 4096 : i32}
    aie.runtime_sequence(%x : memref<16xf32>, %y : memref<128xf32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<16xf32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 1 : i64, metadata = @y, issue_token = true} : memref<128xf32>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
