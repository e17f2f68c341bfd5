// RUN: allo-opt %s --plan-tiles | filecheck %s

// Columns of which no number can be cut alike get more, by a thirty-second or so, and callers pass and cut them; what is reduced
// does not. What is divided already stays.

// CHECK-LABEL: func.func private @sums(%arg0: tensor<999x{{.*}}xf32>) -> tensor<{{.*}}xf32>
// CHECK-SAME:  launch = array<i64: 0, 4,
func.func private @sums(%a: tensor<999x1001xf32>) -> tensor<1001xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1001xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1001xf32>) -> tensor<1001xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<999x1001xf32>) outs(%z : tensor<1001xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1001xf32>
  return %r : tensor<1001xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         tensor.insert_slice %arg0 into %{{.*}}[0, 0] [999, 1001] [1, 1] : tensor<999x1001xf32> into tensor<999x1024xf32>
// CHECK:         tensor.extract_slice %{{.*}}[0] [1001] [1] : tensor<1024xf32> to tensor<1001xf32>
func.func @main(%x: tensor<999x1001xf32>) -> tensor<1001xf32> {
  %r = call @sums(%x) : (tensor<999x1001xf32>) -> tensor<1001xf32>
  return %r : tensor<1001xf32>
}
