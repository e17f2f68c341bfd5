// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: objectfifo options.

module {
 aie.device(npu1) {
  %tile_0_0 = aie.tile(0, 0)
  %tile_0_1 = aie.tile(0, 1)
  %tile_0_2 = aie.tile(0, 2)
  %tile_0_3 = aie.tile(0, 3)
  aie.objectfifo @of0 (%tile_0_1 dimensionsToStream [<size = 8, stride = 4>], {%tile_0_2 dimensionsFromStream [<size = 8, stride = 4>, <size = 4, stride = 1>], %tile_0_3 dimensionsFromStream []}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @of2(%tile_0_2, {%tile_0_3}, 2 : i32) {via_shared_mem = 0 : i32} : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @of3(%tile_0_2, {%tile_0_1}, 2 : i32) {repeat_count = 3 : i32, plio = true} : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @of4(%tile_0_1, {%tile_0_2}, 2 : i32) {aie_stream = 0 : i32, aie_stream_port = 1 : i32, bd_chain_iter_count = 4 : i32} : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo.link [ @of3 ] -> [ @of4 ] ()
  aie.objectfifo.allocate @of2 (%tile_0_3)
 }
}

// CHECK: aie.device(npu1) {
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0)
// CHECK: %mem_tile_0_1 = aie.tile(0, 1)
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %tile_0_3 = aie.tile(0, 3)
// CHECK: aie.objectfifo @of0(%mem_tile_0_1 dimensionsToStream [<size = 8, stride = 4>], {%tile_0_2 dimensionsFromStream [<size = 8, stride = 4>, <size = 4, stride = 1>], %tile_0_3}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
// CHECK: aie.objectfifo @of2(%tile_0_2, {%tile_0_3}, 2 : i32) {via_shared_mem = 0 : i32} : !aie.objectfifo<memref<32xi32>>
// CHECK: aie.objectfifo @of3(%tile_0_2, {%mem_tile_0_1}, 2 : i32) {plio = true, repeat_count = 3 : i32} : !aie.objectfifo<memref<32xi32>>
// CHECK: aie.objectfifo @of4(%mem_tile_0_1, {%tile_0_2}, 2 : i32) {aie_stream = 0 : i32, aie_stream_port = 1 : i32, bd_chain_iter_count = 4 : i32} : !aie.objectfifo<memref<32xi32>>
// CHECK: aie.objectfifo.link [@of3] -> [@of4]([] [])
// CHECK: aie.objectfifo.allocate @of2(%tile_0_3)

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.objectfifo"(%1, %2, %3) <{dimensionsFromStreamPerConsumer = #aie<bd_dim_layout_array_array{{\[\[}}<size = 8, stride = 4>, <size = 4, stride = 1>], []]>, dimensionsToStream = #aie<bd_dim_layout_array[<size = 8, stride = 4>]>, disable_synchronization = false, elemNumber = 2 : i32, elemType = !aie.objectfifo<memref<32xi32>>, plio = false, sym_name = "of0", via_DMA = false}> : (index, index, index) -> ()
// GENERIC: "aie.objectfifo.link"() <{dst_offsets = [], fifoIns = [@of3], fifoOuts = [@of4], src_offsets = []}> : () -> ()
// GENERIC: "aie.objectfifo.allocate"(%3) <{objFifo_name = @of2}> : (index) -> ()
// GENERIC: "aie.end"() : () -> ()
