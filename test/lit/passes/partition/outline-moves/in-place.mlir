// RUN: allo-opt %s --outline-moves | filecheck %s

// A concatenation of many computed tensors, or of large ones, is left to the kernels that compute them, if each part is one run.

// CHECK-LABEL: func.func @many(
// CHECK:         tensor.concat dim(0) {{.*}} {allo.in_place}
// CHECK-LABEL: func.func @large(
// CHECK:         tensor.concat dim(1) {{.*}} {allo.in_place}
// CHECK-LABEL: func.func @few(
// CHECK-NOT:     allo.in_place
// CHECK-LABEL: func.func @columns(
// CHECK-NOT:     allo.in_place
// CHECK-LABEL: func.func @twice(
// CHECK-NOT:     allo.in_place
// CHECK-LABEL: func.func @argument(
// CHECK-NOT:     allo.in_place
// CHECK-LABEL: func.func @returned(
// CHECK-NOT:     allo.in_place
func.func @many(%x: tensor<16x16xf32>) -> tensor<112x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.log ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.abs ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.floor ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = linalg.ceil ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = linalg.sqrt ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %i = linalg.tanh ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.concat dim(0) %a, %b, %c, %d, %g, %h, %i : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<112x16xf32>
  return %r : tensor<112x16xf32>
}
func.func @large(%x: tensor<1x4x32x32xf32>) -> tensor<1x8x32x32xf32> {
  %e = tensor.empty() : tensor<1x4x32x32xf32>
  %a = linalg.exp ins(%x : tensor<1x4x32x32xf32>) outs(%e : tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
  %b = linalg.abs ins(%x : tensor<1x4x32x32xf32>) outs(%e : tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
  %r = tensor.concat dim(1) %a, %b : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<1x8x32x32xf32>
  return %r : tensor<1x8x32x32xf32>
}
func.func @few(%x: tensor<16x16xf32>) -> tensor<32x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.log ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.concat dim(0) %a, %b : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}
func.func @columns(%x: tensor<16x16xf32>) -> tensor<16x112xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.log ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.abs ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.floor ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = linalg.ceil ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = linalg.sqrt ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %i = linalg.tanh ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.concat dim(1) %a, %b, %c, %d, %g, %h, %i : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x112xf32>
  return %r : tensor<16x112xf32>
}
func.func @twice(%x: tensor<16x16xf32>) -> tensor<112x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.log ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.abs ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.floor ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = linalg.ceil ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = linalg.sqrt ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.concat dim(0) %a, %b, %c, %d, %g, %h, %a : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<112x16xf32>
  return %r : tensor<112x16xf32>
}
func.func @argument(%x: tensor<16x16xf32>) -> tensor<112x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.log ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.abs ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.floor ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = linalg.ceil ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = linalg.sqrt ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.concat dim(0) %a, %b, %c, %d, %g, %h, %x : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<112x16xf32>
  return %r : tensor<112x16xf32>
}
func.func @returned(%x: tensor<16x16xf32>) -> (tensor<112x16xf32>, tensor<16x16xf32>) {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %b = linalg.log ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.abs ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %d = linalg.floor ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = linalg.ceil ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = linalg.sqrt ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %i = linalg.tanh ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.concat dim(0) %a, %b, %c, %d, %g, %h, %i : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<112x16xf32>
  return %r, %a : tensor<112x16xf32>, tensor<16x16xf32>
}
