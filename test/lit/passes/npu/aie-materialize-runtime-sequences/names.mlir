// RUN: allo-opt --syntax=2026-03 %s --aie-materialize-runtime-sequences | filecheck %s

// Operations in aiex.configure name what the configured device declares, also where two devices give one name to two things.

// CHECK: aie.device(npu1) {
// CHECK: %[[RTP:.*]] = aie.buffer(%{{.*}}) {address = 4096 : i32, sym_name = "rtp"}
// CHECK: aie.shim_dma_allocation @in(%{{.*}}, MM2S, 0)
// CHECK: aie.runtime_sequence @all(%[[A:.*]]: memref<64xi32>)
// CHECK: aiex.npu.load_pdi {device_ref = @one}
// CHECK: dma_memcpy_nd(%[[A]]{{.*}} metadata = @in}
// CHECK: aiex.npu.rtp_write(@rtp, 0, 1)
// CHECK: aiex.npu.load_pdi {device_ref = @two}
// CHECK: dma_memcpy_nd(%[[A]]{{.*}} metadata = @in_two}
// CHECK: aiex.npu.rtp_write(@rtp_two, 0, 2)
// CHECK: %[[W:.*]] = memref.get_global @data_two : memref<1xi32>
// CHECK: aiex.npu.blockwrite(%[[W]])
// CHECK: aiex.npu.load_pdi {device_ref = @two}
// CHECK: aiex.npu.rtp_write(@rtp_two, 1, 3)
// CHECK-DAG: aie.shim_dma_allocation @in_two(%{{.*}}, MM2S, 1)
// CHECK-DAG: memref.global "private" constant @data_two : memref<1xi32> = dense<2>
aie.device(npu1) @one {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %r = aie.buffer(%t) {address = 4096 : i32, sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 0)
}
aie.device(npu1) @two {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 3)
  %r = aie.buffer(%t) {address = 4096 : i32, sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @in(%s, MM2S, 1)
  memref.global "private" constant @data : memref<1xi32> = dense<2>
  aie.runtime_sequence @write() {
    %w = memref.get_global @data : memref<1xi32>
    aiex.npu.blockwrite(%w) {address = 118784 : ui32} : memref<1xi32>
  }
}
aie.device(npu1) @main {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  memref.global "private" constant @data : memref<1xi32> = dense<1>
  aie.runtime_sequence @all(%a: memref<64xi32>) {
    aiex.configure @one {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.rtp_write(@rtp, 0, 1)
    }
    aiex.configure @two {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.rtp_write(@rtp, 0, 2)
      aiex.run @write() : ()
    }
    aiex.npu.load_pdi {device_ref = @two}
    aiex.npu.rtp_write(@rtp, 1, 3)
  }
}
