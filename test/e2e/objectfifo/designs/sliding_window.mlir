// Rows of 8 words; out[r] = in[r - 1] + in[r] + in[r + 1], the rows at both ends counted twice; depths are given for each end.
module {
  aie.device(npu1_1col) {
    %shim_noc_tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%shim_noc_tile_0_0, {%tile_0_2}, [1, 4]) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out(%tile_0_2, {%shim_noc_tile_0_0}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    func.func private @add3(memref<8xi32>, memref<8xi32>, memref<8xi32>, memref<8xi32>)
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c2 = arith.constant 2 : index
      scf.for %image = %c0 to %c2 step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 2) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.subview.access %0[1] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %3 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        func.call @add3(%1, %1, %2, %4) : (memref<8xi32>, memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
        aie.objectfifo.release @out(Produce, 1)
        scf.for %row = %c0 to %c4 step %c1 {
          %5 = aie.objectfifo.acquire @in(Consume, 3) : !aie.objectfifosubview<memref<8xi32>>
          %6 = aie.objectfifo.subview.access %5[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
          %7 = aie.objectfifo.subview.access %5[1] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
          %8 = aie.objectfifo.subview.access %5[2] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
          %9 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
          %10 = aie.objectfifo.subview.access %9[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
          func.call @add3(%6, %7, %8, %10) : (memref<8xi32>, memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
          aie.objectfifo.release @in(Consume, 1)
          aie.objectfifo.release @out(Produce, 1)
        }
        %11 = aie.objectfifo.acquire @in(Consume, 2) : !aie.objectfifosubview<memref<8xi32>>
        %12 = aie.objectfifo.subview.access %11[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %13 = aie.objectfifo.subview.access %11[1] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %14 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
        %15 = aie.objectfifo.subview.access %14[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        func.call @add3(%12, %13, %13, %15) : (memref<8xi32>, memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
        aie.objectfifo.release @in(Consume, 2)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<96xi32>, %b: memref<96xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<96xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<96xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
