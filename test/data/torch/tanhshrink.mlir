// {"inputs": [{"seed": 111584084, "shape": [8, 17], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.0, "sum": 0.0, "approximate": 0.964}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<8x17xf32>) -> tensor<8x17xf32> {
    %0 = tensor.empty() : tensor<8x17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.tanh %in : f32
      linalg.yield %3 : f32
    } -> tensor<8x17xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<8x17xf32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.subf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<8x17xf32>
    return %2 : tensor<8x17xf32>
  }
}
