// RUN: allo-opt --syntax=2026-03 %s --split-input-file --airrt-to-npu=order=planned | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --split-input-file --airrt-to-npu | filecheck %s

// A herd that is started again is first waited for; its lock is set to the rounds that it runs with the same parameters.
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, 7)
// CHECK: aiex.set_lock(%[[LOCK:.*]], 2)
// CHECK: aiex.dma_await_task
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, 8)
// CHECK: aiex.set_lock(%[[LOCK]], 1)
// CHECK: aiex.dma_start_task
module {
  aie.device(npu1) @seg {
    %shim = aie.tile(0, 0)
    %tile = aie.tile(0, 2)
    %lock = aie.lock(%tile, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
    %rtp = aie.buffer(%tile) {address = 65504 : i32, sym_name = "__air_herd_rtp_0_2"} : memref<1xi32, 2>
    aie.flow(%tile, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
  }
  airrt.module_metadata {
    airrt.segment_metadata attributes {sym_name = "seg"} {
      airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "h"}
    }
  }
  func.func @f(%arg0: memref<24xi32>) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %c16 = arith.constant 16 : i64
    %id = arith.constant 2 : i32
    %seven = arith.constant 7 : i32
    %eight = arith.constant 8 : i32
    %a = airrt.herd_load "h" (%seven) {segment_name = "seg"} : (i32) -> i64
    %b = airrt.herd_load "h" (%seven) {segment_name = "seg"} : (i32) -> i64
    %0 = airrt.dma_memcpy_nd(%id, %c0, %c0, %arg0[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c16], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<24xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %0
    %c = airrt.herd_load "h" (%eight) {segment_name = "seg"} : (i32) -> i64
    %1 = airrt.dma_memcpy_nd(%id, %c0, %c0, %arg0[%c0, %c0, %c0, %c16], [%c1, %c1, %c1, %c8], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<24xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    airrt.wait_all %1
    return
  }
}

// -----

// So are the instances of a launch that pass something else.
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, 7)
// CHECK: aiex.dma_await_task
// CHECK: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, 8)
// CHECK: aiex.dma_await_task
module {
  aie.device(npu1) @seg {
    %shim = aie.tile(0, 0)
    %tile = aie.tile(0, 2)
    %lock = aie.lock(%tile, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
    %rtp = aie.buffer(%tile) {address = 65504 : i32, sym_name = "__air_herd_rtp_0_2"} : memref<1xi32, 2>
    aie.flow(%tile, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @out(%shim, S2MM, 0)
  }
  airrt.module_metadata {
    airrt.segment_metadata attributes {sym_name = "seg"} {
      airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "h"}
    }
  }
  func.func @f(%arg0: memref<32xi32>) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c16 = arith.constant 16 : i64
    %id = arith.constant 2 : i32
    %seven = arith.constant 7 : i32
    affine.for %i = 0 to 2 {
      %at = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
      %offset = arith.index_cast %at : index to i64
      %n = arith.index_cast %i : index to i32
      %passed = arith.addi %n, %seven : i32
      %0 = airrt.dma_memcpy_nd(%id, %c0, %c0, %arg0[%c0, %c0, %c0, %offset], [%c1, %c1, %c1, %c16], [%c0, %c0, %c0, %c1]) {metadata = @out} : (i32, i64, i64, memref<32xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
      %a = airrt.herd_load "h" (%passed) {segment_name = "seg"} : (i32) -> i64
      airrt.wait_all %0 {air.launch = 0 : i32, air.launch_end}
    }
    return
  }
}
