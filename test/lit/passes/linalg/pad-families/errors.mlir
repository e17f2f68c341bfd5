// RUN: allo-opt %s --split-input-file --verify-diagnostics --plan-gemm='herd-m=8 herd-n=4 k-step=8 cores-m=1 cores-n=3' --pad-families

func.func @two_roles(%a: tensor<10x10xbf16>) -> tensor<10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<10x10xf32>) -> tensor<10x10xf32>
  // expected-error@+1 {{has an operand 'tensor<10x10xbf16>' in two roles: padded to 16 x 16 in one and 16 x 12}}
  %c = linalg.matmul ins(%a, %a : tensor<10x10xbf16>, tensor<10x10xbf16>) outs(%init : tensor<10x10xf32>) -> tensor<10x10xf32>
  return %c : tensor<10x10xf32>
}

// -----

func.func @other(%a: tensor<10x10xbf16>, %b: tensor<10x10xbf16>) -> tensor<9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<10x10xf32>) -> tensor<10x10xf32>
  %c = linalg.matmul ins(%a, %b : tensor<10x10xbf16>, tensor<10x10xbf16>) outs(%init : tensor<10x10xf32>) -> tensor<10x10xf32>
  // expected-error@+1 {{'tensor.extract_slice' op cannot be fused}}
  %d = tensor.extract_slice %c[0, 0] [9, 9] [1, 1] : tensor<10x10xf32> to tensor<9x9xf32>
  return %d : tensor<9x9xf32>
}
