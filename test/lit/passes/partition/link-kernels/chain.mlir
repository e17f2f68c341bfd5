// RUN: allo-opt --link-kernels %s | filecheck %s
// RUN: allo-opt --link-kernels --link-kernels %s | filecheck %s

// Arguments come first, then constants, then scratch. What the program copies is computed in its place; buffers that are never in
// use at once are one; runs of one device stand together where what they depend on lets them.

// CHECK:      aie.device(npu1_1col) @first
// CHECK:      aie.device(npu1_1col) @second
// CHECK-NOT:  func.func
// CHECK-NOT:  memref.global
// CHECK:      aie.runtime_sequence @program(%[[X:.*]]: memref<4x16xi32>, %[[Y:.*]]: memref<64xi32>, %[[Z:.*]]: memref<64xi32>, %[[W:.*]]: memref<64xi32>, %[[S:.*]]: memref<64xi32>, %[[T:.*]]: memref<80xi32>) {
// CHECK-DAG:    %[[FLAT:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [64], strides: [1] : memref<4x16xi32> to memref<64xi32>
// CHECK-DAG:    %[[PART:.*]] = memref.reinterpret_cast %[[T]] to offset: [0], sizes: [64], strides: [1] : memref<80xi32> to memref<64xi32>
// CHECK:        aiex.configure @first {
// CHECK-NEXT:     aiex.run @copy(%[[FLAT]], %[[S]]) : (memref<64xi32>, memref<64xi32>)
// CHECK-NEXT:     aiex.run @copy(%[[W]], %[[PART]]) : (memref<64xi32>, memref<64xi32>)
// CHECK-NEXT:   }
// CHECK-NEXT:   aiex.configure @second {
// CHECK-NEXT:     aiex.run @other(%[[S]], %[[Y]]) : (memref<64xi32>, memref<64xi32>)
// CHECK-NEXT:     aiex.run @other(%[[PART]], %[[S]]) : (memref<64xi32>, memref<64xi32>)
// CHECK-NEXT:   }
// CHECK-NEXT:   aiex.configure @first {
// CHECK-NEXT:     aiex.run @copy(%[[S]], %[[Z]]) : (memref<64xi32>, memref<64xi32>)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK:      allo_air.host_buffers = {program = {
// CHECK-SAME:   {constant = dense<7> : tensor<64xi32>}, {}, {}]
aie.device(npu1_1col) @first {
  %t = aie.tile(0, 0)
  %m = aie.tile(0, 1)
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
aie.device(npu1_1col) @second {
  %t = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.flow(%t, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @other(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
memref.global "private" constant @weights : memref<64xi32> = dense<7>
func.func private @copy(memref<64xi32>, memref<64xi32>)
func.func private @other(memref<64xi32>, memref<64xi32>)
func.func @program(%x: memref<4x16xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
  %w = memref.get_global @weights : memref<64xi32>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x16xi32> into memref<64xi32>
  %a = memref.alloc() : memref<64xi32>
  call @copy(%flat, %a) : (memref<64xi32>, memref<64xi32>) -> ()
  %b = memref.alloc() : memref<64xi32>
  call @other(%a, %b) : (memref<64xi32>, memref<64xi32>) -> ()
  memref.copy %b, %y : memref<64xi32> to memref<64xi32>
  %c = memref.alloc() : memref<64xi32>
  call @copy(%w, %c) : (memref<64xi32>, memref<64xi32>) -> ()
  %long = memref.alloc() : memref<80xi32>
  %part = memref.subview %long[0] [64] [1] : memref<80xi32> to memref<64xi32, strided<[1]>>
  memref.copy %c, %part : memref<64xi32> to memref<64xi32, strided<[1]>>
  %again = memref.cast %part : memref<64xi32, strided<[1]>> to memref<64xi32>
  %d = memref.alloc() : memref<64xi32>
  call @other(%again, %d) : (memref<64xi32>, memref<64xi32>) -> ()
  %e = memref.alloc() : memref<64xi32>
  call @copy(%d, %e) : (memref<64xi32>, memref<64xi32>) -> ()
  memref.copy %e, %z : memref<64xi32> to memref<64xi32>
  return
}
