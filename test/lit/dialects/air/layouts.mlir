// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIR: layouts.

module {
func.func @strided(%a: memref<16xi32, strided<[1], offset: ?>, 2 : i32>, %c: memref<4x4xi32, affine_map<(d0, d1) -> (d1 * 4 + d0)>>) {
  %0 = air.channel.put async  @ch[] (%a[] [] []) {id = 3 : i32} : (memref<16xi32, strided<[1], offset: ?>, 2 : i32>)
  air.dma_memcpy_nd (%a[] [] [], %c[] [] []) : (memref<16xi32, strided<[1], offset: ?>, 2 : i32>, memref<4x4xi32, affine_map<(d0, d1) -> (d1 * 4 + d0)>>)
  return
}
  air.channel @ch [1, 1]
}

// CHECK: %0 = air.channel.put async @ch[] (%arg0[] [] []) {id = 3 : i32} : (memref<16xi32, strided<[1], offset: ?>, 2 : i32>)
// CHECK: air.dma_memcpy_nd (%arg0[] [] [], %arg1[] [] []) : (memref<16xi32, strided<[1], offset: ?>, 2 : i32>, memref<4x4xi32, #map>)
// CHECK: air.channel @ch [1, 1]

// GENERIC: "air.channel.put"(%arg0) <{chan_name = @ch, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> {id = 3 : i32} : (memref<16xi32, strided<[1], offset: ?>, 2 : i32>) -> !air.async.token
// GENERIC: "air.dma_memcpy_nd"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 0, 0, 0>}> : (memref<16xi32, strided<[1], offset: ?>, 2 : i32>, memref<4x4xi32, #map>) -> ()
// GENERIC: "air.channel"() <{channel_type = "dma_stream", size = [1, 1], sym_name = "ch"}> : () -> ()
