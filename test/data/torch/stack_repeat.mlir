// {"inputs": [{"seed": 1249443917, "shape": [4, 6], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 11.1, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x2x12xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.mulf %in, %cst : f32
      linalg.yield %4 : f32
    } -> tensor<4x6xf32>
    %concat = tensor.concat dim(1) %arg0, %1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    %2 = tensor.empty() : tensor<4x2x2x6xf32>
    %expanded = tensor.expand_shape %concat [[0], [1, 2]] output_shape [4, 2, 6] : tensor<4x12xf32> into tensor<4x2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x2x6xf32>) outs(%2 : tensor<4x2x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x2x6xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1], [2, 3]] : tensor<4x2x2x6xf32> into tensor<4x2x12xf32>
    return %collapsed : tensor<4x2x12xf32>
  }
}
