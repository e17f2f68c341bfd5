// {"inputs": [{"seed": 163321102, "shape": [8, 17], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<8x17xf32>) -> tensor<8x17xf32> {
    %cst = arith.constant dense<-2.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 3.000000e-01 : f64
    %0 = tensor.empty() : tensor<8x17xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %4 = arith.extf %in : f32 to f64
      %5 = arith.cmpf ole, %4, %cst_0 : f64
      linalg.yield %5 : i1
    } -> tensor<8x17xi1>
    %2 = tensor.empty() : tensor<8x17xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %cst, %arg0 : tensor<8x17xi1>, tensor<f32>, tensor<8x17xf32>) outs(%2 : tensor<8x17xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %4 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %4 : f32
    } -> tensor<8x17xf32>
    return %3 : tensor<8x17xf32>
  }
}
