// RUN: allo-opt --assign-layouts --verify-diagnostics %s

func.func private @k(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> attributes {allo.kernel} {
  return %a : tensor<4xf32>
}
// expected-error@below {{has argument 1 of type f32; a program of kernels takes tensors of static shape}}
func.func @scalar(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %r = call @k(%x, %s) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
