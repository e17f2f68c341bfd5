// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: objectfifo dims and values.

aie.device(npu1_1col) {
  %t00 = aie.tile(0, 0)
  %t01 = aie.tile(0, 1)
  %t02 = aie.tile(0, 2)
  %t03 = aie.tile(0, 3)
  %t04 = aie.tile(0, 4)
  aie.objectfifo @a (%t00, {%t01}, 2 : i32) : !aie.objectfifo<memref<64x64xi8>>
  aie.objectfifo @b (%t01 dimensionsToStream [<size = 16, stride = 256>, <size = 8, stride = 8>, <size = 4, stride = 64>, <size = 8, stride = 1>], {%t02}, [2, 2]) {via_DMA = true} : !aie.objectfifo<memref<64x64xi8>>
  aie.objectfifo @bb (%t01 dimensionsToStream [<size = 16, stride = 256>], {%t02, %t03, %t04}, [2, 2, 3, 4]) {disable_synchronization = true} : !aie.objectfifo<memref<64x64xi8>>
  aie.objectfifo.link [@a] -> [@b, @bb]([] [0, 128])
  aie.objectfifo @pad (%t01 dimensionsToStream [<size = 8, stride = 8>, <size = 8, stride = 1>] padDimensions [<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 4, const_pad_after = 4>], {%t02}, 2 : i32) : !aie.objectfifo<memref<64xi32>>
  aie.objectfifo @iv (%t02, {%t03}, 2 : i32) : !aie.objectfifo<memref<2x2xi32>> = [dense<[[0, 1], [2, 3]]> : memref<2x2xi32>, dense<[[4, 5], [6, 7]]> : memref<2x2xi32>]
  aie.objectfifo @iv2 (%t02, {%t03}, 1 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]>]
  aie.objectfifo @iv3 (%t02, {%t03}, 2 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]>, dense<9>]
  aie.objectfifo @iv4 (%t02, {%t03}, 3 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]> : memref<4xi32>,
    dense<0> : memref<4xi32>,
    dense<9> : memref<4xi32>]
}

// CHECK: aie.device(npu1_1col) {
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0)
// CHECK: %mem_tile_0_1 = aie.tile(0, 1)
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %tile_0_3 = aie.tile(0, 3)
// CHECK: %tile_0_4 = aie.tile(0, 4)
// CHECK: aie.objectfifo @a(%shim_noc_tile_0_0, {%mem_tile_0_1}, 2 : i32) : !aie.objectfifo<memref<64x64xi8>>
// CHECK: aie.objectfifo @b(%mem_tile_0_1 dimensionsToStream [<size = 16, stride = 256>, <size = 8, stride = 8>, <size = 4, stride = 64>, <size = 8, stride = 1>], {%tile_0_2}, [2, 2]) {via_DMA = true} : !aie.objectfifo<memref<64x64xi8>>
// CHECK: aie.objectfifo @bb(%mem_tile_0_1 dimensionsToStream [<size = 16, stride = 256>], {%tile_0_2, %tile_0_3, %tile_0_4}, [2, 2, 3, 4]) {disable_synchronization = true} : !aie.objectfifo<memref<64x64xi8>>
// CHECK: aie.objectfifo.link [@a] -> [@b, @bb]([] [0, 128])
// CHECK: aie.objectfifo @pad(%mem_tile_0_1 dimensionsToStream [<size = 8, stride = 8>, <size = 8, stride = 1>], {%tile_0_2}, 2 : i32) {padDimensions = #aie<bd_pad_layout_array[<const_pad_before = 0, const_pad_after = 0>, <const_pad_before = 4, const_pad_after = 4>]>} : !aie.objectfifo<memref<64xi32>>
// CHECK: aie.objectfifo @iv(%tile_0_2, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<2x2xi32>> = [dense<{{\[\[}}0, 1], [2, 3]]> : memref<2x2xi32>, dense<{{\[\[}}4, 5], [6, 7]]> : memref<2x2xi32>]
// CHECK: aie.objectfifo @iv2(%tile_0_2, {%tile_0_3}, 1 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]>]
// CHECK: aie.objectfifo @iv3(%tile_0_2, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]>, dense<9>]
// CHECK: aie.objectfifo @iv4(%tile_0_2, {%tile_0_3}, 3 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[0, 1, 2, 3]> : memref<4xi32>, dense<0> : memref<4xi32>, dense<9> : memref<4xi32>]

// GENERIC: "aie.device"() <{device = 5 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aie.objectfifo"(%0, %1) <{dimensionsFromStreamPerConsumer = #aie<bd_dim_layout_array_array{{\[\[}}]]>, dimensionsToStream = #aie<bd_dim_layout_array[]>, disable_synchronization = false, elemNumber = 2 : i32, elemType = !aie.objectfifo<memref<64x64xi8>>, plio = false, sym_name = "a", via_DMA = false}> : (index, index) -> ()
// GENERIC: "aie.objectfifo.link"() <{dst_offsets = [0, 128], fifoIns = [@a], fifoOuts = [@b, @bb], src_offsets = []}> : () -> ()
// GENERIC: "aie.end"() : () -> ()
