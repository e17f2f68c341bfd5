// RUN: allo-opt %s --plan-tiles | filecheck %s

// What is padded along the last dimension only is divided over rows of cores like the result: two such operands need two of a
// memtile's channels for each row, so that there are not four rows.

// CHECK-LABEL: func.func private @beside(
// CHECK-SAME:    cores = array<i64: 4, 2>
func.func private @beside(%a: tensor<16x64x512xf32>, %b: tensor<16x64x4xf32>) -> tensor<16x64x516xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 0, 0] high[0, 0, 4] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<16x64x512xf32> to tensor<16x64x516xf32>
  %q = tensor.pad %b low[0, 0, 512] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<16x64x4xf32> to tensor<16x64x516xf32>
  %e = tensor.empty() : tensor<16x64x516xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %q : tensor<16x64x516xf32>, tensor<16x64x516xf32>) outs(%e : tensor<16x64x516xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<16x64x516xf32>
  return %r : tensor<16x64x516xf32>
}
