// Results whose dimensions are among those of the largest come from one operation.
// RUN: allo-opt %s --join-results | filecheck %s

// CHECK-LABEL: func.func private @both
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic {indexing_maps = [#[[R:.*]], #[[RC:.*]], #[[R]], #[[RC]]], iterator_types = ["parallel", "parallel"]}
// CHECK:         linalg.yield %in, %in_{{.*}} : f32, f32
// CHECK:         return %[[BOTH]]#0, %[[BOTH]]#1
func.func private @both(%a: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8x4xf32>) attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x4xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %x, %o : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %g = tensor.empty() : tensor<8x4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x4xf32>, tensor<8xf32>) outs(%g : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.subf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %s, %d : tensor<8xf32>, tensor<8x4xf32>
}

// Results of unrelated dimensions stay apart.
// CHECK-LABEL: func.func private @apart
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func private @apart(%x: f32) -> (tensor<8xf32>, tensor<4xf32>) attributes {allo.kernel} {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.empty() : tensor<4xf32>
  %h = linalg.fill ins(%x : f32) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  return %f, %h : tensor<8xf32>, tensor<4xf32>
}
