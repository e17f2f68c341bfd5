// {"inputs": [{"seed": 728305768, "shape": [5, 5], "dtype": "float32", "low": 0, "high": 3}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.27, "sum": 0.0, "approximate": 1.27}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x5xf32>) -> tensor<5x5xf32> {
    %0 = tensor.empty() : tensor<5x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x5xf32>) outs(%0 : tensor<5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.log1p %in : f32
      linalg.yield %2 : f32
    } -> tensor<5x5xf32>
    return %1 : tensor<5x5xf32>
  }
}
