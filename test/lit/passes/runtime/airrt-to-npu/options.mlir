// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned trace-size=8192 trace-offset=64' | filecheck %s --check-prefix=TRACE
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned output-elf=true' | filecheck %s --check-prefix=ELF
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned output-elf=true' --aie-materialize-runtime-sequences | filecheck %s --check-prefix=LOAD
// RUN: not allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned trace-size=10' 2>&1 | filecheck %s --check-prefix=WORDS
// RUN: not allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned trace-offset=8' 2>&1 | filecheck %s --check-prefix=ALONE

// The trace of a core goes after the arguments: its timer, control and events, the shim's BD, then the start.
// TRACE: aie.runtime_sequence @f(%[[A:.*]]: memref<64xi32>, %{{.*}}: memref<2064xi32>) {
// TRACE-NEXT: aiex.npu.write32 {address = 212992 : ui32, column = 0 : i32, row = 2 : i32, value = 31232 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 213200 : ui32, column = 0 : i32, row = 2 : i32, value = 2038038528 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 213204 : ui32, column = 0 : i32, row = 2 : i32, value = 5 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 213216 : ui32, column = 0 : i32, row = 2 : i32, value = 1260724769 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 213220 : ui32, column = 0 : i32, row = 2 : i32, value = 757865039 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 261888 : ui32, column = 0 : i32, row = 2 : i32, value = 289 : ui32}
// TRACE-NEXT: aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 2048 : i32, buffer_offset = 64 : i32
// TRACE-NEXT: aiex.npu.address_patch {addr = 119268 : ui32, arg_idx = 1 : i32, arg_plus = 64 : i32}
// TRACE-NEXT: aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 15 : i32, issue_token = false, repeat_count = 0 : i32}
// TRACE-NEXT: aiex.npu.write32 {address = 213068 : ui32, column = 0 : i32, row = 0 : i32, value = 127 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 213064 : ui32, column = 0 : i32, row = 0 : i32, value = 126 : ui32}
// TRACE-NEXT: aiex.npu.write32 {address = 213000 : ui32, column = 0 : i32, row = 0 : i32, value = 127 : ui32}
// TRACE-NEXT: aiex.set_lock(%{{.*}}, 1)
// TRACE-NEXT: aiex.dma_configure_task_for @in
// TRACE: aiex.npu.write32 {address = 213000 : ui32, column = 0 : i32, row = 0 : i32, value = 126 : ui32}
// TRACE-NEXT: }

// ELF: aie.device(npu1) @dev
// ELF: aie.runtime_sequence @dev_sequence
// ELF: aie.device(npu1) {
// ELF-NEXT: aie.runtime_sequence @f(%[[A:.*]]: memref<64xi32>) {
// ELF-NEXT: aiex.configure @dev {
// ELF-NEXT: aiex.run @dev_sequence(%[[A]]) : (memref<64xi32>)

// LOAD: aie.device(npu1) {
// LOAD: aie.runtime_sequence @f
// LOAD-NEXT: aiex.npu.load_pdi {device_ref = @dev}
// LOAD-NEXT: aiex.set_lock
// LOAD-NEXT: aiex.dma_configure_task_for @in

// WORDS: error: airrt-to-npu: trace-size=10: expected a number of bytes from 0 that is a multiple of 4
// ALONE: error: airrt-to-npu: trace-offset=8 without a trace: give trace-size as well
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  %c = aie.tile(0, 2)
  %go = aie.lock(%c, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
  aie.packet_flow(5) {
    aie.packet_source<%c, Trace : 0>
    aie.packet_dest<%t, DMA : 1>
  } {keep_pkt_header = true}
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func @f(%a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c64], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
  return
}
