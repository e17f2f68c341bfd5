// {"inputs": [{"seed": 462565976, "shape": [8, 17], "dtype": "float32", "low": -0.9, "high": 0.9}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 15.8, "sum": 0.0, "approximate": 6.37}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<8x17xf32>) -> tensor<8x17xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = math.asin %in : f32
      linalg.yield %5 : f32
    } -> tensor<8x17xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = math.acos %in : f32
      linalg.yield %5 : f32
    } -> tensor<8x17xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.mulf %in, %cst : f32
      linalg.yield %5 : f32
    } -> tensor<8x17xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<8x17xf32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.addf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<8x17xf32>
    return %4 : tensor<8x17xf32>
  }
}
