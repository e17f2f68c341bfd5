// RUN: allo-opt %s --airrt-to-npu=trace-size=64 | filecheck %s

// The trace's buffer is the second one, numbers of the run do not count; what the core is passed and its lock come after the start.
// CHECK: aie.runtime_sequence @f(%{{.*}}: i64, %{{.*}}: memref<64xi32>, %{{.*}}: memref<16xi32>) {
// CHECK: aiex.npu.address_patch(%{{.*}} : i32) {addr = 119268 : ui32, arg_idx = 1 : i32}
// CHECK: aiex.set_lock(%{{.*}}, 1)
// CHECK-NEXT: arith.trunci
// CHECK: aiex.dma_configure_task_for @in
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
func.func @f(%n: i64, %a: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %z = arith.constant 0 : i64
  airrt.dma_memcpy_nd(%id, %z, %z, %a[0, 0, 0, %n], [1, 1, 1, 32], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>)
  return
}
