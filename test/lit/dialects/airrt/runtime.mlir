// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIRRt: runtime.

#layout = affine_map<(d0, d1) -> (d1, d0)>
!buf = memref<4x4xi32, #layout, 1>
module @m attributes {air.x = 1 : i32} {
  module @inner {
  func.func private @f(!buf)
  func.func @g(%a: !buf) -> !air.async.token attributes {llvm.emit_c_interface} {
    %0 = air.dma_memcpy_nd async (%a[] [] [], %a[] [] []) : (!buf, !buf)
    return %0 : !air.async.token
  }
  }
  airrt.module_metadata{
    airrt.segment_metadata attributes {sym_name = "segment_0"}{
      airrt.herd_metadata {size_x = 1 : i64, size_y = 1 : i64, loc_x = 7 : i64, loc_y = 2 : i64, sym_name = "herd_0"}
    }
    airrt.segment_metadata attributes {dma_allocations = [], sym_name = "s"} { airrt.segment_metadata_terminator }
  }
  func.func @rt(%arg0: memref<256x256xi32>, %arg1 : i32) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c3 = arith.constant 3 : i32
    %h, %ev = airrt.herd_load "herd_0" () : () -> (i64, !airrt.event)
    %h2 = airrt.herd_load "herd_0" (%arg1, %c0) : (i32, i64) -> i64
    %p = airrt.segment_load "segment0" : i64
    %p2, %pe = airrt.segment_load "segment0" : i64, !airrt.event
    airrt.dma_memcpy_nd(%c3, %c0, %c0, %arg0[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c1], [%c0, %c0, %c0, %c1]) {metadata = @x} : (i32, i64, i64, memref<256x256xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
    %e = airrt.dma_memcpy_nd(%c3, %c0, %c0, %arg0[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c1], [%c0, %c0, %c0]) : (i32, i64, i64, memref<256x256xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64]) : !airrt.event
    airrt.dma_memcpy_nd(%c3, %c0, %c0, %arg0[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {chan_name = @channel_0, metadata = @airMemcpyId2} : (i32, i64, i64, memref<256x256xi32>) 
    %a = airrt.alloc : memref<8x16xi32, 1 : i32>
    airrt.dealloc %a : memref<8x16xi32, 1 : i32>
    airrt.wait_all %e, %ev
    %w = airrt.wait_all %e {air.segment_end} : !airrt.event
    %w1 = airrt.wait_all : !airrt.event
    return
  }
}

// CHECK: module @m attributes {air.x = 1 : i32} {
// CHECK: %0 = air.dma_memcpy_nd async (%arg0[] [] [], %arg0[] [] []) : (memref<4x4xi32, #map, 1>, memref<4x4xi32, #map, 1>)
// CHECK: airrt.module_metadata{
// CHECK: airrt.segment_metadata attributes {sym_name = "segment_0"}{
// CHECK: airrt.herd_metadata {loc_x = 7 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "herd_0"}
// CHECK: airrt.segment_metadata attributes {dma_allocations = [], sym_name = "s"}{
// CHECK: %h, %event = airrt.herd_load "herd_0" () : () -> (i64, !airrt.event)
// CHECK: %h_0 = airrt.herd_load "herd_0" (%arg1, %c0_i64) : (i32, i64) -> i64
// CHECK: %p = airrt.segment_load "segment0" : i64
// CHECK: %p_1, %event_2 = airrt.segment_load "segment0" : (i64, !airrt.event)
// CHECK: airrt.dma_memcpy_nd(%c3_i32, %c0_i64, %c0_i64, %arg0[%c0_i64, %c0_i64, %c0_i64, %c0_i64], [%c1_i64, %c1_i64, %c1_i64, %c1_i64], [%c0_i64, %c0_i64, %c0_i64, %c1_i64]) {metadata = @x} : (i32, i64, i64, memref<256x256xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
// CHECK: %0 = airrt.dma_memcpy_nd(%c3_i32, %c0_i64, %c0_i64, %arg0[%c0_i64, %c0_i64, %c0_i64, %c0_i64], [%c1_i64, %c1_i64, %c1_i64, %c1_i64], [%c0_i64, %c0_i64, %c0_i64, %c1_i64_0]) : (i32, i64, i64, memref<256x256xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
// CHECK: airrt.dma_memcpy_nd(%c3_i32, %c0_i64, %c0_i64, %arg0[%c0_i64_1, %c0_i64_2, %c0_i64_3, %c0_i64_4], [%c1_i64_5, %c1_i64_6, %c1_i64_7, %c64_i64], [%c0_i64_8, %c0_i64_9, %c0_i64_10, %c1_i64_11]) {chan_name = @channel_0, metadata = @airMemcpyId2} : (i32, i64, i64, memref<256x256xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
// CHECK: %1 = airrt.alloc : memref<8x16xi32, 1 : i32>
// CHECK: airrt.dealloc %1 : memref<8x16xi32, 1 : i32>
// CHECK: airrt.wait_all %0, %event
// CHECK: %2 = airrt.wait_all %0 {air.segment_end} : !airrt.event
// CHECK: %3 = airrt.wait_all : !airrt.event

// GENERIC: "air.dma_memcpy_nd"(%arg2, %arg2) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 0, 0, 0>}> : (memref<4x4xi32, #map, 1>, memref<4x4xi32, #map, 1>) -> !air.async.token
// GENERIC: "airrt.module_metadata"() ({
// GENERIC: "airrt.segment_metadata"() <{sym_name = "segment_0"}> ({
// GENERIC: "airrt.herd_metadata"() <{sym_name = "herd_0"}> {loc_x = 7 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64} : () -> ()
// GENERIC: "airrt.segment_metadata_terminator"() : () -> ()
// GENERIC: "airrt.module_metadata_terminator"() : () -> ()
// GENERIC: "airrt.herd_load"() <{sym_name = "herd_0"}> : () -> (i64, !airrt.event)
// GENERIC: "airrt.segment_load"() <{sym_name = "segment0"}> : () -> i64
// GENERIC: "airrt.dma_memcpy_nd"(%2, %0, %0, %arg0, %0, %0, %0, %0, %1, %1, %1, %1, %0, %0, %0, %1) {metadata = @x} : (i32, i64, i64, memref<256x256xi32>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
// GENERIC: "airrt.alloc"() : () -> memref<8x16xi32, 1 : i32>
// GENERIC: "airrt.dealloc"(%21) : (memref<8x16xi32, 1 : i32>) -> ()
// GENERIC: "airrt.wait_all"(%8, %3#1) : (!airrt.event, !airrt.event) -> ()
