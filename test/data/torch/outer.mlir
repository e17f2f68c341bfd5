// {"inputs": [{"seed": 1483180737, "shape": [30], "dtype": "float32", "low": null, "high": null}, {"seed": 794868311, "shape": [20], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.11, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, 0)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<30xf32>, %arg1: tensor<20xf32>) -> tensor<30x20xf32> {
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
    %0 = tensor.empty() : tensor<30x20xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded, %arg1 : tensor<30x1xf32>, tensor<20xf32>) outs(%0 : tensor<30x20xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.mulf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<30x20xf32>
    return %1 : tensor<30x20xf32>
  }
}
