// Sums of columns: cores take whole vectors of columns, of rows in parts; what is cut in two stands after the loop that reduces.
// As L2 holds parts of the rows only, these are long.
// RUN: allo-opt --plan-tiles %s | filecheck %s

// CHECK: chosen = "herd 4x4, 1 launch of allx4x256, a core's tile allx1x64
// CHECK: iterator_types = ["reduction", "parallel", "parallel"]
// CHECK-SAME: attrs = {allo.reduce = array<i64: {{[1-9][0-9]*}}, 0, 0>}
#map = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func private @sums(%a: tensor<1024x1024xf32>) -> tensor<1024xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %r = linalg.generic {indexing_maps = [#map, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<1024x1024xf32>) outs(%f : tensor<1024xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}
func.func @main(%a: tensor<1024x1024xf32>) -> tensor<1024xf32> {
  %0 = call @sums(%a) : (tensor<1024x1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
