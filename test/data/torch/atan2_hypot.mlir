// {"inputs": [{"seed": 1077287563, "shape": [7, 11], "dtype": "float32", "low": null, "high": null}, {"seed": 925968925, "shape": [7, 11], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 5.32, "sum": 0.0, "approximate": 2.66}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<7x11xf32>, %arg1: tensor<7x11xf32>) -> tensor<7x11xf32> {
    %0 = tensor.empty() : tensor<7x11xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<7x11xf32>, tensor<7x11xf32>) outs(%0 : tensor<7x11xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<7x11xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg1 : tensor<7x11xf32>, tensor<7x11xf32>) outs(%0 : tensor<7x11xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<7x11xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<7x11xf32>, tensor<7x11xf32>) outs(%0 : tensor<7x11xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.addf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<7x11xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<7x11xf32>) outs(%0 : tensor<7x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = math.sqrt %in : f32
      linalg.yield %5 : f32
    } -> tensor<7x11xf32>
    return %4 : tensor<7x11xf32>
  }
}
