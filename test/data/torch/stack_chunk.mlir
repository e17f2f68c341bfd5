// {"inputs": [{"seed": 315227163, "shape": [5, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 1708051597, "shape": [5, 8], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 5.59, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x8xf32>, %arg1: tensor<5x8xf32>) -> tensor<5x16xf32> {
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [5, 8, 1] : tensor<5x8xf32> into tensor<5x8x1xf32>
    %expanded_0 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [5, 8, 1] : tensor<5x8xf32> into tensor<5x8x1xf32>
    %concat = tensor.concat dim(2) %expanded, %expanded_0 : (tensor<5x8x1xf32>, tensor<5x8x1xf32>) -> tensor<5x8x2xf32>
    %collapsed = tensor.collapse_shape %concat [[0], [1, 2]] : tensor<5x8x2xf32> into tensor<5x16xf32>
    %concat_1 = tensor.concat dim(1) %arg1, %arg0 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
    %0 = tensor.empty() : tensor<5x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %concat_1 : tensor<5x16xf32>, tensor<5x16xf32>) outs(%0 : tensor<5x16xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %2 = arith.addf %in, %in_2 : f32
      linalg.yield %2 : f32
    } -> tensor<5x16xf32>
    return %1 : tensor<5x16xf32>
  }
}
