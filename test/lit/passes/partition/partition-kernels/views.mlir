// RUN: allo-opt --partition-kernels='device=npu2' %s | filecheck %s

// What lies on both sides of a view cannot be done in tiles: one core would multiply f32 element by element, which takes longer
// than loading the configurations of several kernels.

// CHECK-DAG: func.func private @main_contraction_0
// CHECK-DAG: func.func private @main_rows_0
// CHECK-DAG: func.func private @main_contraction_1
// CHECK-NOT: @main_whole
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%a: tensor<16x24xf32>, %b: tensor<24x96xf32>, %c: tensor<96x24xf32>) -> tensor<16x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x96xf32>) -> tensor<16x96xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x96xf32>) outs(%f : tensor<16x96xf32>) -> tensor<16x96xf32>
  %x = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
  %g = tensor.empty() : tensor<2x8x96xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x8x96xf32>) outs(%g : tensor<2x8x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.tanh %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x96xf32>
  %y = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x8x96xf32> into tensor<16x96xf32>
  %h = tensor.empty() : tensor<16x24xf32>
  %i = linalg.fill ins(%z : f32) outs(%h : tensor<16x24xf32>) -> tensor<16x24xf32>
  %n = linalg.matmul ins(%y, %c : tensor<16x96xf32>, tensor<96x24xf32>) outs(%i : tensor<16x24xf32>) -> tensor<16x24xf32>
  return %n : tensor<16x24xf32>
}
