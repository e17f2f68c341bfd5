// RUN: allo-opt %s --aie-expand-load-pdi | filecheck %s
// RUN: allo-opt %s --aie-expand-load-pdi=ctrl-pkt=true | filecheck %s --check-prefix=PACKETS

// Each load becomes one of an empty device, in turns, and the writes of the device; `expand_mode` says otherwise.
// The third one, the last, loads both, so that the next run does not begin with what is loaded.
// CHECK-DAG: aie.device(npu2) @empty_0 {
// CHECK-DAG: aie.device(npu2) @empty_1 {
// CHECK: memref.global "private" constant @config_blockwrite_data_0 : memref<6xi32>
// CHECK: memref.global "private" constant @config_blockwrite_data_1 : memref<6xi32>
// CHECK: aie.runtime_sequence @go
// CHECK: aiex.npu.load_pdi {device_ref = @empty_0}
// CHECK: aiex.npu.write32(%c2224144{{.*}}, %c3
// CHECK: memref.get_global @config_blockwrite_data_0
// CHECK: aiex.npu.blockwrite
// CHECK: aiex.npu.write32(%c4096
// CHECK: aiex.npu.load_pdi {device_ref = @empty_1}
// CHECK: memref.get_global @config_blockwrite_data_1
// CHECK: aiex.npu.load_pdi {device_ref = @dev, expand_mode = 0 : i32}
// CHECK: aiex.npu.load_pdi {device_ref = @empty_0}
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @empty_1}
// CHECK: aiex.control_packet {address = 2215936 : ui32, data = array<i32: {{.*}}>, opcode = 0 : i32, stream_id = 0 : i32}
// CHECK: aiex.control_packet {address = 2215952 : ui32

// PACKETS: aiex.npu.load_pdi {device_ref = @empty_0}
// PACKETS: aiex.control_packet {address = 2215936 : ui32
// PACKETS-NOT: blockwrite
module {
  aie.device(npu2) @dev {
    %t = aie.tile(0, 2)
    %l = aie.lock(%t, 1) {init = 3 : i32}
    %q = aie.lock(%t, 2) {init = 0 : i32}
    %b = aie.buffer(%t) {sym_name = "b", address = 1024 : i32} : memref<64xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%l, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<64xi32>) {bd_id = 0 : i32, next_bd_id = 0 : i32}
      aie.use_lock(%q, Release, 1)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
  }
  aie.device(npu2) {
    aie.runtime_sequence @go(%a : memref<64xi32>) {
      aiex.npu.load_pdi {device_ref = @dev}
      aiex.npu.write32 {address = 4096 : ui32, value = 7 : ui32}
      aiex.npu.load_pdi {device_ref = @dev}
      aiex.npu.load_pdi {device_ref = @dev, expand_mode = 0 : i32}
      aiex.npu.load_pdi {device_ref = @dev, expand_mode = "ctrlpkt"}
    }
  }
}
