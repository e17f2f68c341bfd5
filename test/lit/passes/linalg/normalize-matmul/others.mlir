// RUN: allo-opt %s --normalize-matmul=strict=false --plan-gemm=strict=false | filecheck %s

// Functions that are not a matrix multiplication, or that do something else beside it, stay as they are.

// CHECK-LABEL: func.func @nothing
// CHECK-NOT:   allo.plan
func.func @nothing(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// CHECK-LABEL: func.func @beside
// CHECK-NOT:   allo.plan
// CHECK:       linalg.transpose
// CHECK:       linalg.exp
// CHECK:       linalg.matmul ins(%{{[0-9a-z]+}}, %{{[a-z]+}} : tensor<8x8xf32>, tensor<8x8xf32>)
func.func @beside(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %e = linalg.exp ins(%a : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%e, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK-SAME:  allo.plan
// CHECK-NOT:   linalg.transpose
func.func @transposed(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// What a large kernel does beside its contraction, and cannot do in the cores, becomes kernels of their own.

// CHECK-LABEL: func.func private @large_before(%arg0: tensor<64x72xf32>) -> tensor<64x72xbf16>
// CHECK-SAME:  allo.partition = "apart:
// CHECK:       arith.truncf
// CHECK-LABEL: func.func private @large(%arg0: tensor<64x72xbf16>, %arg1: tensor<72x64xbf16>, %arg2: tensor<64x64xf32>)
// CHECK-SAME:  allo.plan
// CHECK:       linalg.matmul
// CHECK:       arith.addf
// CHECK-LABEL: func.func @main
// CHECK:       %[[A:.*]] = call @large_before(%arg0)
// CHECK:       call @large(%[[A]], %arg1, %arg2)
func.func private @large(%a: tensor<64x72xf32>, %b: tensor<72x64xbf16>, %r: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %narrow = tensor.empty() : tensor<64x72xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x72xf32>) outs(%narrow : tensor<64x72xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<64x72xbf16>
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%t, %b : tensor<64x72xbf16>, tensor<72x64xbf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.add ins(%c, %r : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

func.func @main(%a: tensor<64x72xf32>, %b: tensor<72x64xbf16>, %r: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = call @large(%a, %b, %r) : (tensor<64x72xf32>, tensor<72x64xbf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func private @two(%arg0: tensor<64x72xbf16>, %arg1: tensor<72x64xbf16>) -> tensor<64x64xf32>
// CHECK-LABEL: func.func private @two_after(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>)
// CHECK-LABEL: func.func @residuals
// CHECK:       %[[C:.*]] = call @two(%arg0, %arg1)
// CHECK:       call @two_after(%[[C]], %arg2, %arg3)
func.func private @two(%a: tensor<64x72xbf16>, %b: tensor<72x64xbf16>, %r: tensor<64x64xf32>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x72xbf16>, tensor<72x64xbf16>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = linalg.add ins(%c, %r : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = linalg.add ins(%d, %s : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %e : tensor<64x64xf32>
}

func.func @residuals(%a: tensor<64x72xbf16>, %b: tensor<72x64xbf16>, %r: tensor<64x64xf32>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = call @two(%a, %b, %r, %s) : (tensor<64x72xbf16>, tensor<72x64xbf16>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
