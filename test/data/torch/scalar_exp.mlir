// {"inputs": [{"seed": 1615246198, "shape": [], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.02, "sum": 0.0, "approximate": 1.02}]}
#map = affine_map<() -> ()>
module {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg0 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    return %1 : tensor<f32>
  }
}
