// RUN: allo-opt %s --plan-tiles | filecheck %s

// Rows of 241 elements do not begin where vectors can: a core takes one at a time, whose first element does. Rows of 240 do.

// CHECK-LABEL: func.func private @odd
// CHECK-SAME:  core = array<i64: 1, 1, 0>
func.func private @odd(%a: tensor<1008x241xf32>) -> tensor<1008xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1008xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1008xf32>) -> tensor<1008xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1008x241xf32>) outs(%z : tensor<1008xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1008xf32>
  return %r : tensor<1008xf32>
}

// CHECK-LABEL: func.func private @even
// CHECK-SAME:  core = array<i64: 1, 3, 0>
func.func private @even(%a: tensor<1008x240xf32>) -> tensor<1008xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1008xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1008xf32>) -> tensor<1008xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1008x240xf32>) outs(%z : tensor<1008xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1008xf32>
  return %r : tensor<1008xf32>
}
