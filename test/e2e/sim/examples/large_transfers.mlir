// Transfers that no shim BD holds, in a loop and in a task; aiecc decomposes them.
module {
  aie.device(npu2_1col) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    aie.objectfifo @i(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<2048xi32>>
    aie.objectfifo @o(%m, {%s}, 2 : i32) : !aie.objectfifo<memref<2048xi32>>
    aie.objectfifo.link [@i] -> [@o]([] [])
    aie.runtime_sequence(%x : memref<4x4096xi32>, %y : memref<4x2048xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %o = aiex.dma_configure_task_for @o {
        aie.dma_bd(%y : memref<4x2048xi32> offset = 0 len = 8192)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%o)
      scf.for %r = %c0 to %c1 step %c1 {
        %at = arith.index_cast %r : index to i64
        aiex.npu.dma_memcpy_nd(%x[0, 0, %at, 1024][1, 1, 2, 2048][0, 0, 4096, 1]) {id = 15 : i64, metadata = @i} : memref<4x4096xi32>
      }
      %i = aiex.dma_configure_task_for @i {
        aie.dma_bd(%x : memref<4x4096xi32> offset = 9216 len = 4096 sizes = [2, 2048] strides = [4096, 1])
        aie.end
      }
      aiex.dma_start_task(%i)
      aiex.dma_await_task(%o)
    }
  }
}
