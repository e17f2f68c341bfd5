// {"inputs": [{"seed": 777640036, "shape": [33, 50], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.995, "sum": 0.0, "approximate": 0.995}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<33x50xf32>) -> tensor<33x50xf32> {
    %0 = tensor.empty() : tensor<33x50xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<33x50xf32>) outs(%0 : tensor<33x50xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.erf %in : f32
      linalg.yield %2 : f32
    } -> tensor<33x50xf32>
    return %1 : tensor<33x50xf32>
  }
}
