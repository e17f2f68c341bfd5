// RUN: allo-opt --link-kernels=merge-only %s | filecheck %s

// The packets of devices that become one have different ids: the flows, the DMAs' descriptors and those of the sequences. A
// device stays apart if an end keeps the header, or if a header comes with the data: no descriptor has the id of its flow.

// CHECK:      aie.device(npu1) @shared_0 {
// CHECK:        aie.packet_flow(3)
// CHECK:          packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>
// CHECK:        aie.runtime_sequence @first
// CHECK:          packet = #aie.packet_info<pkt_type = 0, pkt_id = 4>
// CHECK:        aie.tile(1, 0)
// CHECK:        aie.packet_flow(0)
// CHECK:        aie.packet_flow(5)
// CHECK:          packet = #aie.packet_info<pkt_type = 1, pkt_id = 0>
// CHECK:        aie.runtime_sequence @second
// CHECK:          packet = #aie.packet_info<pkt_type = 0, pkt_id = 5>
// CHECK:      aie.device(npu1) @kept_0 {
// CHECK:      aie.device(npu1) @inside_0 {
aie.device(npu1) @first_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<16xi32>
  aie.packet_flow(3) {
    aie.packet_source<%t, DMA : 0>
    aie.packet_dest<%s, DMA : 0>
  }
  aie.packet_flow(4) {
    aie.packet_source<%s, DMA : 0>
    aie.packet_dest<%t, DMA : 0>
  }
  aie.mem(%t) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<16xi32>, 0, 16) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @first(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 4>}
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1) @second_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<16xi32>
  aie.packet_flow(3) {
    aie.packet_source<%t, DMA : 0>
    aie.packet_dest<%s, DMA : 0>
  }
  aie.packet_flow(5) {
    aie.packet_source<%s, DMA : 0>
    aie.packet_dest<%t, DMA : 0>
  }
  aie.mem(%t) {
    %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)
  ^bb1:
    aie.dma_bd(%b : memref<16xi32>, 0, 16) {packet = #aie.packet_info<pkt_type = 1, pkt_id = 3>}
    aie.next_bd ^bb1
  ^bb2:
    aie.end
  }
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @second(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 5>}
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1) @kept_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.packet_flow(1) {
    aie.packet_source<%s, DMA : 0>
    aie.packet_dest<%t, DMA : 0>
  } {keep_pkt_header = true}
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @kept(%a: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%a : memref<64xi32>, 0, 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
      aie.end
    }
    aiex.dma_start_task(%0)
  }
}
aie.device(npu1) @inside_0 {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.packet_flow(1) {
    aie.packet_source<%s, DMA : 0>
    aie.packet_dest<%t, DMA : 0>
  }
  aie.runtime_sequence @inside(%a: memref<64xi32>) {
  }
}
func.func private @first(memref<64xi32>)
func.func private @second(memref<64xi32>)
func.func private @kept(memref<64xi32>)
func.func private @inside(memref<64xi32>)
func.func @f(%x: memref<64xi32>) {
  call @first(%x) : (memref<64xi32>) -> ()
  call @second(%x) : (memref<64xi32>) -> ()
  call @kept(%x) : (memref<64xi32>) -> ()
  call @inside(%x) : (memref<64xi32>) -> ()
  return
}
