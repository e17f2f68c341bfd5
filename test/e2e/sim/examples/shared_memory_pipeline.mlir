// Three cores in a row, over shared memory and by via_DMA; depths as arrays; views of objects.
module {
  aie.device(npu1) {
    %shim = aie.tile(0, 0)
    %c2 = aie.tile(0, 2)
    %c3 = aie.tile(0, 3)
    %c13 = aie.tile(1, 3)
    %shim2 = aie.tile(2, 0)
    aie.objectfifo @in(%shim, {%c2}, [1 : i32, 3 : i32]) : !aie.objectfifo<memref<4x4xf32>>
    aie.objectfifo @mid(%c2, {%c3}, 1 : i32) : !aie.objectfifo<memref<4x4xf32>>
    aie.objectfifo @dma(%c3, {%c13}, [2 : i32, 1 : i32]) {via_DMA = true} : !aie.objectfifo<memref<4x4xf32>>
    aie.objectfifo @out(%c13, {%shim2}, 2 : i32) : !aie.objectfifo<memref<4x4xf32>>
    %k0 = aie.core(%c2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c6 = arith.constant 6 : index
      %half = arith.constant 5.000000e-01 : f32
      scf.for %n = %c0 to %c6 step %c1 {
        %s = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4x4xf32>>
        %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<4x4xf32>> -> memref<4x4xf32>
        %t = aie.objectfifo.acquire @mid(Produce, 1) : !aie.objectfifosubview<memref<4x4xf32>>
        %y = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<4x4xf32>> -> memref<4x4xf32>
        scf.for %i = %c0 to %c4 step %c1 {
          scf.for %j = %c0 to %c4 step %c1 {
            %v = memref.load %x[%i, %j] : memref<4x4xf32>
            %w = arith.mulf %v, %half : f32
            memref.store %w, %y[%j, %i] : memref<4x4xf32>
          }
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @mid(Produce, 1)
      }
      aie.end
    }
    %k1 = aie.core(%c3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c3i = arith.constant 6 : index
      scf.for %n = %c0 to %c3i step %c1 {
        %s = aie.objectfifo.acquire @mid(Consume, 1) : !aie.objectfifosubview<memref<4x4xf32>>
        %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<4x4xf32>> -> memref<4x4xf32>
        %t = aie.objectfifo.acquire @dma(Produce, 1) : !aie.objectfifosubview<memref<4x4xf32>>
        %y = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<4x4xf32>> -> memref<4x4xf32>
        %xf = memref.collapse_shape %x [[0, 1]] : memref<4x4xf32> into memref<16xf32>
        %yf = memref.reinterpret_cast %y to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32> to memref<16xf32>
        scf.for %i = %c0 to %c16 step %c1 {
          %v = memref.load %xf[%i] : memref<16xf32>
          %n1 = arith.negf %v : f32
          %w = arith.maximumf %v, %n1 : f32
          %q = math.absf %w : f32
          memref.store %q, %yf[%i] : memref<16xf32>
        }
        aie.objectfifo.release @mid(Consume, 1)
        aie.objectfifo.release @dma(Produce, 1)
      }
      aie.end
    }
    %k2 = aie.core(%c13) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      scf.for %n = %c0 to %c6 step %c1 {
        %s = aie.objectfifo.acquire @dma(Consume, 1) : !aie.objectfifosubview<memref<4x4xf32>>
        %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<4x4xf32>> -> memref<4x4xf32>
        %t = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<4x4xf32>>
        %y = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<4x4xf32>> -> memref<4x4xf32>
        %r = memref.subview %y[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
        %r2 = memref.subview %y[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
        %p = memref.subview %x[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
        %p2 = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
        memref.copy %p, %r : memref<2x4xf32, strided<[4, 1], offset: 8>> to memref<2x4xf32, strided<[4, 1]>>
        memref.copy %p2, %r2 : memref<2x4xf32, strided<[4, 1]>> to memref<2x4xf32, strided<[4, 1], offset: 8>>
        aie.objectfifo.release @dma(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%x : memref<96xf32>, %y : memref<96xf32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][6, 1, 4, 4][16, 0, 4, 1]) {id = 0 : i64, metadata = @in} : memref<96xf32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : memref<96xf32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
