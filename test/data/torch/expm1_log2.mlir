// {"inputs": [{"seed": 433430063, "shape": [8, 17], "dtype": "float32", "low": 0.25, "high": 2}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 14.8, "sum": 0.0, "approximate": 7.38}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<8x17xf32>) -> tensor<8x17xf32> {
    %0 = tensor.empty() : tensor<8x17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.expm1 %in : f32
      linalg.yield %4 : f32
    } -> tensor<8x17xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.log2 %in : f32
      linalg.yield %4 : f32
    } -> tensor<8x17xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<8x17xf32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.addf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<8x17xf32>
    return %3 : tensor<8x17xf32>
  }
}
