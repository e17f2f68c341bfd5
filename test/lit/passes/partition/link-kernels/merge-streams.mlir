// RUN: allo-opt --link-kernels=merge-only --split-input-file %s | filecheck %s

// Devices that only stream from shim to shim need no columns: the device of a kernel on cores carries their streams on channels
// that it leaves idle, those of one column first. Two such devices take turns on the same channels.

// CHECK:      aie.device(npu1_2col) @shared_0 {
// CHECK:        %[[S:.*]] = aie.tile(0, 0)
// CHECK:        aie.flow(%[[S]], DMA : 0, %{{.*}}, DMA : 0)
// CHECK:        aie.runtime_sequence @cores
// CHECK:        %[[T:.*]] = aie.tile(1, 0)
// CHECK-NEXT:   aie.flow(%[[S]], DMA : 1, %[[S]], DMA : 0)
// CHECK-NEXT:   aie.flow(%[[T]], DMA : 0, %[[T]], DMA : 0)
// CHECK-NEXT:   aie.shim_dma_allocation @in_{{.*}}(%[[T]], MM2S, 0)
// CHECK-NEXT:   aie.shim_dma_allocation @out(%[[T]], S2MM, 0)
// CHECK-NEXT:   aie.runtime_sequence @two
// CHECK-NOT:    aie.tile
// CHECK-NOT:    aie.flow
// CHECK:        aie.shim_dma_allocation @in_{{.*}}(%[[S]], MM2S, 1)
// CHECK-NEXT:   aie.shim_dma_allocation @out_{{.*}}(%[[S]], S2MM, 0)
// CHECK-NEXT:   aie.runtime_sequence @copy
aie.device(npu1_2col) @cores_0 {
  %s = aie.tile(1, 0)
  %t = aie.tile(1, 2)
  %u = aie.tile(1, 3)
  aie.flow(%s, DMA : 0, %t, DMA : 0)
  aie.flow(%u, DMA : 0, %s, DMA : 1)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @cores(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1_2col) @copy_0 {
  %s = aie.tile(0, 0)
  aie.flow(%s, DMA : 0, %s, DMA : 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @copy(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1_2col) @two_0 {
  %s = aie.tile(0, 0)
  aie.flow(%s, DMA : 0, %s, DMA : 0)
  aie.flow(%s, DMA : 1, %s, DMA : 1)
  aie.shim_dma_allocation @in(%s, MM2S, 1)
  aie.shim_dma_allocation @out(%s, S2MM, 1)
  aie.runtime_sequence @two(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
func.func private @cores(memref<64xi32>)
func.func private @copy(memref<64xi32>)
func.func private @two(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @copy(%x) : (memref<64xi32>) -> ()
  call @cores(%x) : (memref<64xi32>) -> ()
  call @two(%x) : (memref<64xi32>) -> ()
  return
}

// -----

// A device whose cores take all channels into the array carries nothing.

// CHECK:      aie.device(npu1_1col) @full_0 {
// CHECK:      aie.device(npu1_1col) @copy_0 {
aie.device(npu1_1col) @full_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.flow(%s, DMA : 0, %t, DMA : 0)
  aie.flow(%s, DMA : 1, %t, DMA : 1)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @full(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1_1col) @copy_0 {
  %s = aie.tile(0, 0)
  aie.flow(%s, DMA : 0, %s, DMA : 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
  aie.runtime_sequence @copy(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
func.func private @full(memref<64xi32>)
func.func private @copy(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @copy(%x) : (memref<64xi32>) -> ()
  call @full(%x) : (memref<64xi32>) -> ()
  return
}
