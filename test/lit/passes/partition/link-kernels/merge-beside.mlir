// RUN: allo-opt --link-kernels=merge-only %s | filecheck %s
// RUN: allo-opt --link-kernels=merge-only --link-kernels=merge-only %s | filecheck %s

// Of three devices that run one after another, the two between which the program changes twice share four columns; the second
// moves east. What both declare alike stays once, other equal names become different. A device whose sequence names a register
// stays where it is.

// CHECK:      aie.device(npu1) @shared_0 {
// CHECK-NEXT:   %[[S:.*]] = aie.tile(0, 0)
// CHECK-NEXT:   aie.tile(0, 2)
// CHECK-NEXT:   aie.tile(1, 2)
// CHECK-NEXT:   memref.global "private" constant @table : memref<4xi32> = dense<1>
// CHECK-NEXT:   memref.global "private" constant @own : memref<4xi32> = dense<2>
// CHECK:        aie.shim_dma_allocation @in(%[[S]], MM2S, 0)
// CHECK-NEXT:   aie.runtime_sequence @first
// CHECK-NEXT:     aiex.dma_configure_task_for @in {
// CHECK:        %[[T:.*]] = aie.tile(2, 0)
// CHECK-NEXT:   aie.tile(2, 2)
// CHECK-NEXT:   aie.tile(3, 2)
// CHECK-NOT:    @table
// CHECK:        memref.global "private" constant @own_0 : memref<4xi32> = dense<3>
// CHECK:          memref.get_global @own_0
// CHECK:        aie.shim_dma_allocation @in_0(%[[T]], MM2S, 0)
// CHECK-NEXT:   aie.runtime_sequence @second
// CHECK-NEXT:     aiex.dma_configure_task_for @in_0 {
// CHECK:      aie.device(npu1) @third_0 {
// CHECK-NEXT:   aie.tile(0, 2)
// CHECK:      aie.device(npu1) @register_0 {
// CHECK-NEXT:   aie.tile(0, 0)
aie.device(npu1) @first_0 {
  %s = aie.tile(0, 0)
  %u = aie.tile(0, 2)
  %t = aie.tile(1, 2)
  memref.global "private" constant @table : memref<4xi32> = dense<1>
  memref.global "private" constant @own : memref<4xi32> = dense<2>
  aie.flow(%s, DMA : 0, %t, DMA : 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @first(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1) @second_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  memref.global "private" constant @table : memref<4xi32> = dense<1>
  memref.global "private" constant @own : memref<4xi32> = dense<3>
  %core = aie.core(%t) {
    %g = memref.get_global @own : memref<4xi32>
    aie.end
  }
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @second(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64)
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1) @third_0 {
  %t = aie.tile(0, 2)
  aie.runtime_sequence @third(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @register_0 {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @register(%a: memref<64xi32>) {
    aiex.npu.write32 {address = 119300 : ui32, column = 0 : i32, row = 0 : i32, value = 1 : ui32}
  }
}
func.func private @first(memref<64xi32>)
func.func private @second(memref<64xi32>)
func.func private @third(memref<64xi32>)
func.func private @register(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @third(%x) : (memref<64xi32>) -> ()
  call @first(%x) : (memref<64xi32>) -> ()
  call @second(%x) : (memref<64xi32>) -> ()
  call @first(%x) : (memref<64xi32>) -> ()
  call @register(%x) : (memref<64xi32>) -> ()
  return
}
