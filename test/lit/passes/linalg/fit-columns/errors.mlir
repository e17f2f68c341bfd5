// RUN: allo-opt %s --fit-columns --split-input-file --verify-diagnostics
// RUN: not allo-opt %s --fit-columns=device=npu7 2>&1 | filecheck %s --check-prefix=DEVICE

// DEVICE: error: {{.*}}npu7

// expected-error@+1 {{has a wrong plan}}
func.func private @wrong(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.kernel, allo.plan = {family = "nothing"}} {
  %e = tensor.empty() : tensor<64x64xf32>
  %s = linalg.add ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
func.func @g(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = call @wrong(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
