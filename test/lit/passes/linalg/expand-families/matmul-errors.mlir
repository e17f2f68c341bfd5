// RUN: allo-opt %s --verify-diagnostics --plan-gemm --expand-families

func.func @not_padded(%a: tensor<7x13xbf16>, %b: tensor<13x5xbf16>) -> tensor<7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x5xf32>) -> tensor<7x5xf32>
  // expected-error@+1 {{7 x 5 x 13 of bf16 is not a multiple of its plan's tiles; run pad-families first}}
  %c = linalg.matmul ins(%a, %b : tensor<7x13xbf16>, tensor<13x5xbf16>) outs(%init : tensor<7x5xf32>) -> tensor<7x5xf32>
  return %c : tensor<7x5xf32>
}
