// Tasks of four dimensions with a repeat count: the vector is sent once for each row of the matrix.
module {
  aie.device(npu2_1col) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    aie.objectfifo @w(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @v(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @o(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<1xi32>>
    %core = aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %cmax = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %cmax step %c1 {
        %0 = aie.objectfifo.acquire @w(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %2 = aie.objectfifo.acquire @v(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
        %3 = aie.objectfifo.subview.access %2[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
        %4 = aie.objectfifo.acquire @o(Produce, 1) : !aie.objectfifosubview<memref<1xi32>>
        %5 = aie.objectfifo.subview.access %4[0] : !aie.objectfifosubview<memref<1xi32>> -> memref<1xi32>
        %x = vector.load %1[%c0] : memref<8xi32>, vector<8xi32>
        %y = vector.load %3[%c0] : memref<8xi32>, vector<8xi32>
        %p = arith.muli %x, %y : vector<8xi32>
        %r = vector.reduction <add>, %p : vector<8xi32> into i32
        memref.store %r, %5[%c0] : memref<1xi32>
        aie.objectfifo.release @w(Consume, 1)
        aie.objectfifo.release @v(Consume, 1)
        aie.objectfifo.release @o(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence @sequence(%W: memref<6x16xi32>, %V: memref<16xi32>, %O: memref<12xi32>) {
      // all tiles of W by column halves, V's halves six times each
      %tw = aiex.dma_configure_task_for @w {
        aie.dma_bd(%W : memref<6x16xi32>, 0, 48, [<size = 2, stride = 8>, <size = 1, stride = 0>, <size = 6, stride = 16>, <size = 8, stride = 1>])
        aie.end
      } {issue_token = true, repeat_count = 1 : i32}
      aiex.dma_start_task(%tw)
      %tv0 = aiex.dma_configure_task_for @v {
        aie.dma_bd(%V : memref<16xi32>, 0, 8, [<size = 6, stride = 0>, <size = 1, stride = 0>, <size = 1, stride = 0>, <size = 8, stride = 1>])
        aie.end
      } {repeat_count = 5 : i32}
      aiex.dma_start_task(%tv0)
      %tv1 = aiex.dma_configure_task_for @v {
        aie.dma_bd(%V : memref<16xi32>, 8, 8)
        aie.end
      } {repeat_count = 5 : i32}
      aiex.dma_start_task(%tv1)
      %to = aiex.dma_configure_task_for @o {
        aie.dma_bd(%O : memref<12xi32>, 0, 12, [<size = 1, stride = 0>, <size = 1, stride = 0>, <size = 1, stride = 0>, <size = 12, stride = 1>]) {burst_length = 0 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%to)
      aiex.dma_await_task(%tw)
      aiex.dma_await_task(%to)
      aiex.dma_free_task(%tv0)
      aiex.dma_free_task(%tv1)
    }
  }
}
