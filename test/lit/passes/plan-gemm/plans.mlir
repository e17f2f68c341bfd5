// RUN: allo-opt %s --split-input-file --plan-gemm | filecheck %s
// RUN: allo-opt %s --split-input-file --plan-gemm=device=npu2_2col | filecheck %s --check-prefix=NPU2
// RUN: allo-opt %s --split-input-file --plan-gemm='herd-m=32 k-step=16' | filecheck %s --check-prefix=FIXED

// All sixteen cores of npu1, tiles that fill L1 (two buffers for each operand).
// CHECK-LABEL: func.func @bf16
// CHECK-SAME:  allo.plan = "herd 4x4, core tile 64x64, k step 64, micro-tile 4x4x8, L1 49152 bytes"
// CHECK:       scf.forall ({{.*}}) in (4, 4)
// NPU2-LABEL:  func.func @bf16
// NPU2-SAME:   allo.plan = "herd 2x4, core tile {{[0-9x]+}}, k step {{[0-9]+}}, micro-tile 8x4x8
// FIXED-LABEL: func.func @bf16
// FIXED-SAME:  core tile 32x{{[0-9]+}}, k step 16,
func.func @bf16(%a: tensor<512x1024xbf16>, %b: tensor<1024x512xbf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<512x1024xbf16>, tensor<1024x512xbf16>) outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}

// -----

// A shape that gives fewer cores work: three columns' worth of 96 rows, not four.
// CHECK-LABEL: func.func @odd
// CHECK-SAME:  herd {{[1-4]x[1-4]}}, core tile {{[0-9x]+}}, k step {{[0-9]+}}, micro-tile 4x8x8
// NPU2-LABEL:  func.func @odd
// FIXED-LABEL: func.func @odd
func.func @odd(%a: tensor<96x80xi8>, %b: tensor<80x48xi8>) -> tensor<96x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<96x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<96x48xi32>) -> tensor<96x48xi32>
  %c = linalg.matmul ins(%a, %b : tensor<96x80xi8>, tensor<80x48xi8>) outs(%init : tensor<96x48xi32>) -> tensor<96x48xi32>
  return %c : tensor<96x48xi32>
}
