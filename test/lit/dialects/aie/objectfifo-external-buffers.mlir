// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: objectfifo external buffers.

module @reg {
  aie.device(xcvc1902) {
    %tile70 = aie.tile(7, 0)
    %tile71 = aie.tile(7, 1)
    aie.objectfifo @ext_of (%tile71, {%tile70}, 3 : i32) : !aie.objectfifo<memref<16xi32>>
    %ext_buffer_in0 = aie.external_buffer {sym_name = "ext_buffer_in0"}: memref<64xi32>
    %ext_buffer_in1 = aie.external_buffer {sym_name = "ext_buffer_in1"}: memref<64xi32>
    aie.objectfifo.register_external_buffers @ext_of (%tile70, {%ext_buffer_in0, %ext_buffer_in1}) : (memref<64xi32>, memref<64xi32>)
    func.func @producer_work() -> () { return }
    %acquire_pattern = arith.constant dense<[1]> : tensor<1xi32>
    %release_pattern = arith.constant dense<[1]> : tensor<1xi32>
    %length = arith.constant 10 : index
    aie.objectfifo.register_process @ext_of (Produce, %acquire_pattern : tensor<1xi32>, %release_pattern : tensor<1xi32>, @producer_work, %length)
  }
}

// CHECK: aie.device(xcvc1902) {
// CHECK: %shim_noc_tile_7_0 = aie.tile(7, 0)
// CHECK: %tile_7_1 = aie.tile(7, 1)
// CHECK: aie.objectfifo @ext_of(%tile_7_1, {%shim_noc_tile_7_0}, 3 : i32) : !aie.objectfifo<memref<16xi32>>
// CHECK: %ext_buffer_in0 = aie.external_buffer {sym_name = "ext_buffer_in0"} : memref<64xi32>
// CHECK: %ext_buffer_in1 = aie.external_buffer {sym_name = "ext_buffer_in1"} : memref<64xi32>
// CHECK: aie.objectfifo.register_external_buffers @ext_of(%shim_noc_tile_7_0, {%ext_buffer_in0, %ext_buffer_in1}) : (memref<64xi32>, memref<64xi32>)
// CHECK: aie.objectfifo.register_process @ext_of(Produce, %cst : tensor<1xi32>, %cst_0 : tensor<1xi32>, @producer_work, %c10)

// GENERIC: "aie.device"() <{device = 1 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 7 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.objectfifo"(%1, %0) <{dimensionsFromStreamPerConsumer = #aie<bd_dim_layout_array_array{{\[\[}}]]>, dimensionsToStream = #aie<bd_dim_layout_array[]>, disable_synchronization = false, elemNumber = 3 : i32, elemType = !aie.objectfifo<memref<16xi32>>, plio = false, sym_name = "ext_of", via_DMA = false}> : (index, index) -> ()
// GENERIC: "aie.external_buffer"() <{sym_name = "ext_buffer_in0"}> : () -> memref<64xi32>
// GENERIC: "aie.objectfifo.register_external_buffers"(%0, %2, %3) <{objFifo_name = @ext_of}> : (index, memref<64xi32>, memref<64xi32>) -> ()
// GENERIC: "aie.objectfifo.register_process"(%4, %5, %6) <{callee = @producer_work, objFifo_name = @ext_of, port = 0 : i32}> : (tensor<1xi32>, tensor<1xi32>, index) -> ()
// GENERIC: "aie.end"() : () -> ()
