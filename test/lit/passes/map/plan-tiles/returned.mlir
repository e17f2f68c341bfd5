// What folding leaves of a kernel may be its argument, which it copies.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @same
// CHECK:         linalg.{{.*}} ins(%arg0
func.func private @same(%x: tensor<128x100xi32>) -> tensor<128x100xi32> attributes {allo.kernel} {
  return %x : tensor<128x100xi32>
}
// CHECK-LABEL: func.func private @other
func.func private @other(%x: tensor<128x100xi32>) -> tensor<128x100xi32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<128x100xi32>
  %c = linalg.copy ins(%x : tensor<128x100xi32>) outs(%e : tensor<128x100xi32>) -> tensor<128x100xi32>
  return %c : tensor<128x100xi32>
}
func.func @main(%x: tensor<128x100xi32>) -> tensor<128x100xi32> {
  %0 = call @same(%x) : (tensor<128x100xi32>) -> tensor<128x100xi32>
  %1 = call @other(%0) : (tensor<128x100xi32>) -> tensor<128x100xi32>
  return %1 : tensor<128x100xi32>
}
