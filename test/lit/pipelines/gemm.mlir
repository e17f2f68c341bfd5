// The GEMM pipelines from tensors to the device: a core for each tile, MAC-shaped kernels, locks that start full, and a sequence
// whose words can be written.
// RUN: allo-opt %s --pipeline=gemm-bf16 -o %t.bf16.mlir
// RUN: filecheck %s --input-file %t.bf16.mlir
// RUN: allo-translate --aie-npu-to-binary --hex %t.bf16.mlir | filecheck %s --check-prefix=WORDS
// RUN: allo-opt %s --pipeline='gemm-bf16{device=npu2_4col herd-m=32 herd-n=32}' | filecheck %s --check-prefix=NPU2

// CHECK-LABEL: aie.device(npu1) @gemm_0
// CHECK:         aie.tile(0, 0)
// CHECK:         aie.core(%tile_3_5)
// CHECK:           vector.contract {{.*}} vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
// CHECK:         aie.core(%tile_0_2)
// CHECK:         aie.shim_dma_allocation
// CHECK:         aie.runtime_sequence @gemm(%arg0: memref<256x256xbf16>, %arg1: memref<256x256xbf16>, %arg2: memref<256x256xf32>)
// CHECK:           aiex.dma_await_task

// WORDS:      06030100
// WORDS-NEXT: 00000104

// NPU2-LABEL: aie.device(npu2_4col)
// NPU2:         vector.contract {{.*}} vector<8x8xf32>, vector<8x4xf32> into vector<8x4xf32>
func.func @gemm(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
