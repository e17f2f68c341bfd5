// {"inputs": [{"seed": 1410503003, "shape": [8, 17], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<8x17xf32>) -> tensor<8x17xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 6.000000e-01 : f64
    %0 = tensor.empty() : tensor<8x17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = math.absf %in : f32
      linalg.yield %5 : f32
    } -> tensor<8x17xf32>
    %2 = tensor.empty() : tensor<8x17xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x17xf32>) outs(%2 : tensor<8x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.extf %in : f32 to f64
      %6 = arith.cmpf ole, %5, %cst_0 : f64
      linalg.yield %6 : i1
    } -> tensor<8x17xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst, %arg0 : tensor<8x17xi1>, tensor<f32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %5 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %5 : f32
    } -> tensor<8x17xf32>
    return %4 : tensor<8x17xf32>
  }
}
