// {"inputs": [{"seed": 1590540265, "shape": [17], "dtype": "float32", "low": 0, "high": 9}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.99, "sum": 0.0, "approximate": 2.99}]}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<17xf32>) -> tensor<17xf32> {
    %0 = tensor.empty() : tensor<17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<17xf32>) outs(%0 : tensor<17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.sqrt %in : f32
      linalg.yield %2 : f32
    } -> tensor<17xf32>
    return %1 : tensor<17xf32>
  }
}
