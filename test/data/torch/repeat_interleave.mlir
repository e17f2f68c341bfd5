// {"inputs": [{"seed": 1620680032, "shape": [4, 7], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.37, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<4x7xf32>) -> tensor<4x21xf32> {
    %cst = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<4x7x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<4x7xf32>) outs(%0 : tensor<4x7x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x7x3xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<4x7x3xf32> into tensor<4x21xf32>
    %2 = tensor.empty() : tensor<4x21xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4x21xf32>) outs(%2 : tensor<4x21xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.addf %in, %cst : f32
      linalg.yield %4 : f32
    } -> tensor<4x21xf32>
    return %3 : tensor<4x21xf32>
  }
}
