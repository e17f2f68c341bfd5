// From a matmul on tensors to launch and core tiles in the memories of the NPU, by the GEMM scripts.
// RUN: allo-opt %s --pass-pipeline='builtin.module(launch-gemm{m=64 n=96},promote-operands{operands=0,1},herd-gemm{m=32 n=48},pack-gemm{micro=4,8,8},order-micro-tiles{operand=0},turn-micro-tiles{operand=1},n-first-c,loop-gemm{k-blocks=4},canonicalize,cse)' | filecheck %s

// CHECK-LABEL: func.func @matmul
// The launch covers the result; the operands' slices go to L2, and the result's tile has a buffer of its own there.
// CHECK:       scf.forall ({{.*}}) in (2, 2)
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<64x256xi8>
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<256x96xi8>
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<64x96xi32>
// CHECK:         scf.forall ({{.*}}) in (2, 2)
// The accumulator is filled in L1, packed.
// CHECK:           memref.alloc() : memref<6x8x4x8xi32, 2>
// CHECK:           linalg.fill
// CHECK:           scf.for
// CHECK:             memref.alloc() : memref<4x8x4x8xi8, 2>
// CHECK:             linalg.pack {{.*}}inner_dims_pos = [0, 1] inner_tiles = [4, 8] {{.*}} tensor<32x32xi8> -> tensor<4x8x4x8xi8>
// CHECK:             memref.alloc() : memref<4x6x8x8xi8, 2>
// CHECK:             linalg.pack {{.*}} tensor<32x48xi8> -> tensor<4x6x8x8xi8>
// CHECK:             linalg.generic
// CHECK:           linalg.unpack
func.func @matmul(%a: tensor<128x256xi8>, %b: tensor<256x192xi8>) -> tensor<128x192xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<128x192xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<128x192xi32>) -> tensor<128x192xi32>
  %c = linalg.matmul ins(%a, %b : tensor<128x256xi8>, tensor<256x192xi8>) outs(%init : tensor<128x192xi32>) -> tensor<128x192xi32>
  return %c : tensor<128x192xi32>
}
