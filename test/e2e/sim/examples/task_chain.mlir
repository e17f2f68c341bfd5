// Tasks with chained BDs, objects taken two at a time, depths of each end, shims in two columns.
module {
  aie.device(npu2_4col) {
    %s0 = aie.tile(0, 0)
    %s3 = aie.tile(3, 0)
    %m0 = aie.tile(0, 1)
    %m1 = aie.tile(1, 1)
    %c = aie.tile(3, 3)
    aie.objectfifo @a(%s0, {%m0}, [2 : i32, 4 : i32]) : !aie.objectfifo<memref<32xi8>>
    aie.objectfifo @b(%m0 dimensionsToStream [<size = 4, stride = 4>, <size = 2, stride = 16>, <size = 4, stride = 1>], {%c}, [4 : i32, 2 : i32]) : !aie.objectfifo<memref<32xi8>>
    aie.objectfifo.link [@a] -> [@b]()
    aie.objectfifo @o(%c, {%s3}, [2 : i32, 2 : i32]) : !aie.objectfifo<memref<32xi8>>
    %core = aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 2147483647 : index
      scf.for %i = %c0 to %cmax step %c2 {
        %0 = aie.objectfifo.acquire @b(Consume, 2) : !aie.objectfifosubview<memref<32xi8>>
        %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        %2 = aie.objectfifo.subview.access %0[1] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        %3 = aie.objectfifo.acquire @o(Produce, 1) : !aie.objectfifosubview<memref<32xi8>>
        %4 = aie.objectfifo.subview.access %3[0] : !aie.objectfifosubview<memref<32xi8>> -> memref<32xi8>
        %x = vector.load %1[%c0] : memref<32xi8>, vector<32xi8>
        %y = vector.load %2[%c0] : memref<32xi8>, vector<32xi8>
        %z = arith.maxsi %x, %y : vector<32xi8>
        vector.store %z, %4[%c0] : memref<32xi8>, vector<32xi8>
        aie.objectfifo.release @b(Consume, 2)
        aie.objectfifo.release @o(Produce, 1)
      }
      aie.end
    } {stack_size = 2048 : i32}
    aie.runtime_sequence @main(%x : memref<1x4x64xi8>, %y : memref<128xi8>) {
      %0 = aiex.dma_configure_task_for @a {
        aie.dma_bd(%x : memref<1x4x64xi8>, 0, 128) {bd_id = 2 : i32, burst_length = 64 : i32, next_bd_id = 3 : i32}
        aie.next_bd ^bb1
      ^bb1:
        aie.dma_bd(%x : memref<1x4x64xi8>, 128, 128) {bd_id = 3 : i32}
        aie.end
      }
      %1 = aiex.dma_configure_task_for @o {
        aie.dma_bd(%y : memref<128xi8>, 0, 128, [<size = 8, stride = 16>, <size = 16, stride = 1>]) {bd_id = 2 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%1)
      aiex.dma_start_task(%0)
      aiex.dma_await_task(%1)
      aiex.dma_free_task(%0)
    }
  }
}
