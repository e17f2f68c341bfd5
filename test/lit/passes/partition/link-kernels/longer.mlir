// RUN: allo-opt --link-kernels %s | filecheck %s

// What is returned and read on is computed in the result's buffer, which then has more rows than the caller gets.

// CHECK:      aie.runtime_sequence @program(%[[X:.*]]: memref<64xi32>, %[[Y:.*]]: memref<8x8xi32>, %[[Z:.*]]: memref<64xi32>) {
// CHECK-DAG:    %[[FLAT:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [64], strides: [1] : memref<8x8xi32> to memref<64xi32>
// CHECK:        aiex.run @copy(%[[X]], %[[FLAT]])
// CHECK:        aiex.run @other(%[[FLAT]], %[[Z]])
// CHECK:      gives = [{place = 1 : i64, type = tensor<5x7xi32>, view = array<i64: 5, 7>}
aie.device(npu1) @first {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.flow(%t, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @copy(%a: memref<64xi32>, %b: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    %1 = aiex.dma_configure_task_for @out {
      aie.dma_bd(%b : memref<64xi32>, 0, 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%0)
    aiex.dma_start_task(%1)
    aiex.dma_await_task(%1)
    aiex.dma_free_task(%0)
  }
}
aie.device(npu1) @second {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.flow(%t, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @other(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
func.func private @copy(memref<64xi32>, memref<64xi32>)
func.func private @other(memref<64xi32>, memref<64xi32>)
func.func @program(%x: memref<64xi32>, %y: memref<6x8xi32>, %z: memref<64xi32>) attributes {allo_air.host_buffers = {
    takes = [tensor<64xi32>], holds = [{argument = 0 : i64, view = array<i64: 64>}],
    gives = [{place = 1 : i64, type = tensor<5x7xi32>, view = array<i64: 5, 7>},
      {place = 2 : i64, type = tensor<64xi32>, view = array<i64: 64>}]}} {
  %a = memref.alloc() : memref<64xi32>
  call @copy(%x, %a) : (memref<64xi32>, memref<64xi32>) -> ()
  %part = memref.reinterpret_cast %a to offset: [0], sizes: [6, 8], strides: [8, 1] : memref<64xi32> to memref<6x8xi32>
  memref.copy %part, %y : memref<6x8xi32> to memref<6x8xi32>
  call @other(%a, %z) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}
