// RUN: allo-opt %s --plan-tiles | filecheck %s
// RUN: allo-opt %s --plan-tiles --expand-families > /dev/null

// A sum over a padded dimension is not taken in parts, of which the first and the last would have some padding.

// CHECK-LABEL: func.func private @k
// CHECK-SAME:    allo.plan
// CHECK-NOT:     allo.reduce
// CHECK:         return
// Another dimension that is summed is.
// CHECK-LABEL: func.func private @l
// CHECK:         attrs = {allo.reduce = array<i64: 0, 0, {{[1-9][0-9]*}}, 0>}
func.func @main(%x: tensor<8x2046xf32>, %w: tensor<2048x64xf32>, %y: tensor<8x512x30xf32>, %v: tensor<512x32x64xf32>)
    -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %0 = call @k(%x, %w) : (tensor<8x2046xf32>, tensor<2048x64xf32>) -> tensor<8x64xf32>
  %1 = call @l(%y, %v) : (tensor<8x512x30xf32>, tensor<512x32x64xf32>) -> tensor<8x64xf32>
  return %0, %1 : tensor<8x64xf32>, tensor<8x64xf32>
}
func.func private @k(%x: tensor<8x2046xf32>, %w: tensor<2048x64xf32>) -> tensor<8x64xf32> attributes {allo.kernel} {
  %z = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x2046xf32> to tensor<8x2048xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<8x2048xf32>, tensor<2048x64xf32>) outs(%f : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %b : f32
    %s = arith.addf %c, %d : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
func.func private @l(%x: tensor<8x512x30xf32>, %w: tensor<512x32x64xf32>) -> tensor<8x64xf32> attributes {allo.kernel} {
  %z = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<8x512x30xf32> to tensor<8x512x32xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, c, k) -> (i, c, k)>, affine_map<(i, j, c, k) -> (c, k, j)>, affine_map<(i, j, c, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<8x512x32xf32>, tensor<512x32x64xf32>) outs(%f : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %b : f32
    %s = arith.addf %c, %d : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
