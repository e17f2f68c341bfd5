// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: logical tile.

module {
  aie.device(npu2) {
    %t00 = aie.logical_tile<ShimNOCTile>(?, ?)
    %t01 = aie.logical_tile<MemTile>(0, ?) {allocation_scheme = "bank-aware"}
    %t02 = aie.logical_tile<CoreTile> (?, 2)
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.objectfifo @x(%t00, {%t01, %t02}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    %z = arith.constant 0 : i32
    %i = arith.constant 0 : index
    %b = aie.buffer(%t02) : memref<4xi32>
    %b2 = aie.buffer(%t02) {sym_name = "3x"} : memref<4xi32>
    %b3 = aie.buffer(%t02) {sym_name = "a.b"} : memref<4xi32>
    %b4 = aie.buffer(%t02) {sym_name = "quote\"d"} : memref<4xi32>
    %core = aie.core(%t02) { memref.store %z, %b[%i] : memref<4xi32>
      aie.end }
  }
}

// CHECK: aie.device(npu2) {
// CHECK: %logical_shim_noc = aie.logical_tile<ShimNOCTile>(?, ?)
// CHECK: %logical_mem = aie.logical_tile<MemTile>(0, ?) {allocation_scheme = "bank-aware"}
// CHECK: %logical_core = aie.logical_tile<CoreTile>(?, 2)
// CHECK: aie.flow(%logical_shim_noc, DMA : 0, %logical_mem, DMA : 0)
// CHECK: aie.objectfifo @x(%logical_shim_noc, {%logical_mem, %logical_core}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
// CHECK: %buffer = aie.buffer(%logical_core) : memref<4xi32>
// CHECK: %buffer_0 = aie.buffer(%logical_core) {sym_name = "3x"} : memref<4xi32>
// CHECK: %buffer_1 = aie.buffer(%logical_core) {sym_name = "a.b"} : memref<4xi32>
// CHECK: %buffer_2 = aie.buffer(%logical_core) {sym_name = "quote\22d"} : memref<4xi32>
// CHECK: %core = aie.core(%logical_core) {
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "main"}> ({
// GENERIC: "aie.logical_tile"() <{tile_type = 2 : i32}> : () -> index
// GENERIC: "aie.flow"(%0, %1) <{dest_bundle = 1 : i32, dest_channel = 0 : i32, source_bundle = 1 : i32, source_channel = 0 : i32}> : (index, index) -> ()
// GENERIC: "aie.objectfifo"(%0, %1, %2) <{dimensionsFromStreamPerConsumer = #aie<bd_dim_layout_array_array{{\[\[}}], []]>, dimensionsToStream = #aie<bd_dim_layout_array[]>, disable_synchronization = false, elemNumber = 2 : i32, elemType = !aie.objectfifo<memref<4xi32>>, plio = false, sym_name = "x", via_DMA = false}> : (index, index, index) -> ()
// GENERIC: "aie.buffer"(%2) : (index) -> memref<4xi32>
// GENERIC: "aie.core"(%2) <{stack_size = 1024 : i32}> ({
// GENERIC: "aie.end"() : () -> ()
