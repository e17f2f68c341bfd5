// {"inputs": [{"seed": 1728856586, "shape": [16, 1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 269185692, "shape": [1, 5, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 151135014, "shape": [8], "dtype": "float32", "low": null, "high": null}, {"seed": 2114261936, "shape": [], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 4.8, "sum": 0.0, "approximate": 1.32}]}
#map = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<() -> ()>
#map5 = affine_map<(d0, d1, d2) -> ()>
module {
  func.func @main(%arg0: tensor<16x1x8xf32>, %arg1: tensor<1x5x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<f32>) -> tensor<16x5x8xf32> {
    %cst = arith.constant 3.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x5x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<16x1x8xf32>, tensor<1x5x8xf32>) outs(%0 : tensor<16x5x8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<16x5x8xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg2 : tensor<16x5x8xf32>, tensor<8xf32>) outs(%0 : tensor<16x5x8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.addf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<16x5x8xf32>
    %3 = tensor.empty() : tensor<f32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg3 : tensor<f32>) outs(%3 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = math.absf %in : f32
      linalg.yield %7 : f32
    } -> tensor<f32>
    %5 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%4 : tensor<f32>) outs(%3 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<16x5x8xf32>, tensor<f32>) outs(%0 : tensor<16x5x8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.divf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<16x5x8xf32>
    return %6 : tensor<16x5x8xf32>
  }
}
