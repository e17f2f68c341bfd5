// {"inputs": [{"seed": 2037092428, "shape": [8, 17], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.57, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<8x17xf32>) -> tensor<8x17xf32> {
    %cst = arith.constant dense<-1.000000e+00> : tensor<f32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 4.000000e-01 : f64
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x17xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = math.absf %in : f32
      linalg.yield %12 : f32
    } -> tensor<8x17xf32>
    %2 = tensor.empty() : tensor<8x17xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x17xf32>) outs(%2 : tensor<8x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %12 = arith.extf %in : f32 to f64
      %13 = arith.cmpf ogt, %12, %cst_2 : f64
      linalg.yield %13 : i1
    } -> tensor<8x17xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%2 : tensor<8x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %12 = arith.cmpf ogt, %in, %cst_3 : f32
      linalg.yield %12 : i1
    } -> tensor<8x17xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%2 : tensor<8x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %12 = arith.cmpf olt, %in, %cst_3 : f32
      linalg.yield %12 : i1
    } -> tensor<8x17xi1>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %cst_1, %cst_0 : tensor<8x17xi1>, tensor<f32>, tensor<f32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %12 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %12 : f32
    } -> tensor<8x17xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %cst, %6 : tensor<8x17xi1>, tensor<f32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %12 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %12 : f32
    } -> tensor<8x17xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.truncf %cst_2 : f64 to f32
      %13 = arith.mulf %in, %12 : f32
      linalg.yield %13 : f32
    } -> tensor<8x17xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<8x17xf32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %12 = arith.subf %in, %in_4 : f32
      linalg.yield %12 : f32
    } -> tensor<8x17xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.mulf %in, %cst_3 : f32
      linalg.yield %12 : f32
    } -> tensor<8x17xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %9, %10 : tensor<8x17xi1>, tensor<8x17xf32>, tensor<8x17xf32>) outs(%0 : tensor<8x17xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %12 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %12 : f32
    } -> tensor<8x17xf32>
    return %11 : tensor<8x17xf32>
  }
}
