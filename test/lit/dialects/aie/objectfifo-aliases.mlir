// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: objectfifo aliases.

#l = #aie.bd_dim_layout<size = 8, stride = 4>
!of = !aie.objectfifo<memref<4xi32>>
!el = memref<4xi32>
module {
 aie.device(npu1) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @x(%t, {%u}, 2 : i32) : !of = [dense<1>, dense<[1,2,3,4]>]
  %b = aie.buffer(%t) {sym_name = "bb"} : !el = dense<1>
 }
}

// CHECK: aie.device(npu1) {
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %tile_0_3 = aie.tile(0, 3)
// CHECK: aie.objectfifo @x(%tile_0_2, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<1>, dense<[1, 2, 3, 4]>]
// CHECK: %bb = aie.buffer(%tile_0_2) {sym_name = "bb"} : memref<4xi32> = dense<1>

// GENERIC: "aie.device"() <{device = 4 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.objectfifo"(%0, %1) <{dimensionsFromStreamPerConsumer = #aie<bd_dim_layout_array_array{{\[\[}}]]>, dimensionsToStream = #aie<bd_dim_layout_array[]>, disable_synchronization = false, elemNumber = 2 : i32, elemType = !aie.objectfifo<memref<4xi32>>, initValues = [dense<1> : tensor<4xi32>, dense<[1, 2, 3, 4]> : tensor<4xi32>], plio = false, sym_name = "x", via_DMA = false}> : (index, index) -> ()
// GENERIC: "aie.buffer"(%0) <{initial_value = dense<1> : tensor<4xi32>, sym_name = "bb"}> : (index) -> memref<4xi32>
// GENERIC: "aie.end"() : () -> ()
