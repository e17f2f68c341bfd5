// {"inputs": [{"seed": 16277344, "shape": [1000], "dtype": "float32", "low": 0.1, "high": 8}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.28, "sum": 0.0, "approximate": 2.28}]}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<1000xf32>) -> tensor<1000xf32> {
    %0 = tensor.empty() : tensor<1000xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<1000xf32>) outs(%0 : tensor<1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.log %in : f32
      linalg.yield %2 : f32
    } -> tensor<1000xf32>
    return %1 : tensor<1000xf32>
  }
}
