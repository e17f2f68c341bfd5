// What reduces nothing, as the loop that did is of extent 1, takes what it adds to as an operand where something reads it.
// RUN: allo-opt %s --collapse-dimensions | filecheck %s

#ijk = affine_map<(i, j, k) -> (i, j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func private @sums
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<4x6xf32>
// CHECK:         linalg.generic {{.*}} ins(%arg0, %[[FILL]] : tensor<4x6xf32>, tensor<4x6xf32>) outs(%[[EMPTY]] : tensor<4x6xf32>)
// CHECK:         ^bb0(%[[X:.*]]: f32, %[[O:.*]]: f32, %{{.*}}: f32):
// CHECK:           arith.addf %[[O]], %[[X]] : f32
func.func private @sums(%a: tensor<4x6x1xf32>) -> tensor<4xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %b = linalg.generic {indexing_maps = [#ijk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a : tensor<4x6x1xf32>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %g = tensor.empty() : tensor<4xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<4x6xf32>) outs(%h : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %c : tensor<4xf32>
}

func.func @main(%a: tensor<4x6x1xf32>) -> tensor<4xf32> {
  %r = call @sums(%a) : (tensor<4x6x1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
