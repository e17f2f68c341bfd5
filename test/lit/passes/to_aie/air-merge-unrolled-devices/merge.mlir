// RUN: allo-opt %s --air-merge-unrolled-devices | filecheck %s
// RUN: sed 's/= aie.tile(0, 0)/= aie.logical_tile<ShimNOCTile>(0, ?)/' %s | allo-opt --air-merge-unrolled-devices | filecheck %s --check-prefix=LOGICAL

// LOGICAL: aie.logical_tile<ShimNOCTile>(0, ?)
// LOGICAL: aie.logical_tile<ShimNOCTile>(1, ?)

// Columns of the second piece come after those of the first; the host finds its shim channels by the same names.

// CHECK: aie.device(npu1_2col) @s {
// CHECK: %[[T0:.*]] = aie.tile(0, 2)
// CHECK: aie.buffer(%[[T0]]) {sym_name = "buf0_unroll_0"}
// CHECK: aie.shim_dma_allocation @air_in_0(%{{.*}}, MM2S, 0)
// CHECK: %[[S1:.*]] = aie.tile(1, 0)
// CHECK: %[[T1:.*]] = aie.tile(1, 2)
// CHECK: aie.buffer(%[[T1]]) {sym_name = "buf1_unroll_1"}
// CHECK: aie.flow(%[[S1]], DMA : 0, %[[T1]], DMA : 0)
// CHECK: aie.shim_dma_allocation @air_in_1(%[[S1]], MM2S, 0)
// CHECK-NOT: segment_unroll
// CHECK-NOT: aie.device
// CHECK: airrt.segment_metadata {{.*}}sym_name = "s"
// CHECK: airrt.herd_metadata {{.*}}loc_x = 0
// CHECK: airrt.herd_metadata {{.*}}location = 1{{.*}}loc_x = 1
// CHECK-NOT: airrt.segment_metadata
aie.device(npu1_1col) @s_1_0 {
  %shim = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) {sym_name = "buf1"} : memref<8xi32, 2>
  %c = aie.core(%t) {
    aie.end
  }
  aie.flow(%shim, DMA : 0, %t, DMA : 0)
  aie.shim_dma_allocation @air_in_1(%shim, MM2S, 0)
} {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
aie.device(npu1_1col) @s_0_0 {
  %shim = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) {sym_name = "buf0"} : memref<8xi32, 2>
  aie.flow(%shim, DMA : 0, %t, DMA : 0)
  aie.shim_dma_allocation @air_in_0(%shim, MM2S, 0)
} {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
airrt.module_metadata {
  airrt.segment_metadata attributes {dma_allocations = [], sym_name = "s_0_0"} {
    airrt.herd_metadata {dma_allocations = [{channel = 2 : i64, col = 0 : i64, id = 1 : i64, location = 0 : i64, row = 0 : i64}], loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "h"}
  }
  airrt.segment_metadata attributes {dma_allocations = [], sym_name = "s_1_0"} {
    airrt.herd_metadata {dma_allocations = [{channel = 2 : i64, col = 0 : i64, id = 1 : i64, location = 0 : i64, row = 0 : i64}], loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "h"}
  }
}
