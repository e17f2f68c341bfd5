// {"inputs": [{"seed": 160696374, "shape": [3, 5, 7], "dtype": "float32", "low": 0.25, "high": 9}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.83, "sum": 0.0, "approximate": 1.83}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<3x5x7xf32>) -> tensor<3x5x7xf32> {
    %0 = tensor.empty() : tensor<3x5x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x5x7xf32>) outs(%0 : tensor<3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.rsqrt %in : f32
      linalg.yield %2 : f32
    } -> tensor<3x5x7xf32>
    return %1 : tensor<3x5x7xf32>
  }
}
