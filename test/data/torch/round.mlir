// {"inputs": [{"seed": 250160961, "shape": [10, 3], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<10x3xf32>) -> tensor<10x3xf32> {
    %0 = tensor.empty() : tensor<10x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<10x3xf32>) outs(%0 : tensor<10x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.roundeven %in : f32
      linalg.yield %2 : f32
    } -> tensor<10x3xf32>
    return %1 : tensor<10x3xf32>
  }
}
