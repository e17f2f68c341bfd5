// RUN: allo-opt --link-kernels=merge-only %s | filecheck %s

// Two devices have their cores in two columns each, and @first reads by two further shims. The four columns are enough for both:
// the reads of one shim move to shims of @second, the nearest one with an idle channel first; those of the other one move to a
// shim with no other tasks of @first, since the channels of a shim share its descriptors. @third finds no idle channel.

// CHECK:      aie.device(npu1) @shared_0 {
// CHECK-DAG:    %[[A:.*]] = aie.tile(2, 0)
// CHECK-DAG:    %[[B:.*]] = aie.tile(3, 0)
// CHECK:        aie.flow(%[[A]], DMA : 1, %{{.*}}, DMA : 0)
// CHECK:        aie.packet_flow(2) {
// CHECK-NEXT:     aie.packet_source<%[[B]], DMA : 0>
// CHECK:        aie.shim_dma_allocation @in(%[[A]], MM2S, 1)
// CHECK:        aie.shim_dma_allocation @more(%[[B]], MM2S, 0)
// CHECK:        aie.runtime_sequence @first
// CHECK:        aie.tile(2, 2)
// CHECK:        aie.tile(3, 2)
// CHECK:        aie.flow(%[[A]], DMA : 0, %{{.*}}, DMA : 0)
// CHECK:        aie.runtime_sequence @second
// CHECK:      aie.device(npu1) @third_0 {
aie.device(npu1) @first_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  %v = aie.tile(2, 0)
  %w = aie.tile(3, 0)
  aie.flow(%t, DMA : 0, %s, DMA : 0)
  aie.flow(%v, DMA : 0, %u, DMA : 0)
  aie.packet_flow(2) {
    aie.packet_source<%w, DMA : 1>
    aie.packet_dest<%u, DMA : 1>
  }
  aie.shim_dma_allocation @in(%v, MM2S, 0)
  aie.shim_dma_allocation @more(%w, MM2S, 1)
  aie.runtime_sequence @first(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @more {
      aie.dma_bd(%a : memref<64xi32>, 0, 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>}
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1) @second_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %u = aie.tile(1, 2)
  aie.flow(%s, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @second(%a: memref<64xi32>) {
  }
}
aie.device(npu1) @third_0 {
  %s = aie.tile(1, 0)
  %t = aie.tile(0, 2)
  aie.flow(%s, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @third(%a: memref<64xi32>) {
  }
}
func.func private @first(memref<64xi32>)
func.func private @second(memref<64xi32>)
func.func private @third(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @first(%x) : (memref<64xi32>) -> ()
  call @second(%x) : (memref<64xi32>) -> ()
  call @third(%x) : (memref<64xi32>) -> ()
  return
}
