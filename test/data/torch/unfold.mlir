// {"inputs": [{"seed": 356472952, "shape": [3, 16], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.99, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d2 + d1 * 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<3x16xf32>) -> tensor<3x7x4xf32> {
    %0 = tensor.empty() : tensor<3x7x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x16xf32>) outs(%0 : tensor<3x7x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x7x4xf32>
    return %1 : tensor<3x7x4xf32>
  }
}
