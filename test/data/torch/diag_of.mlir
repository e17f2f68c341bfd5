// {"inputs": [{"seed": 831194937, "shape": [7], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.3, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<7xf32>) -> tensor<7x7xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 7] : tensor<7xf32> into tensor<1x7xf32>
    %0 = tensor.empty() : tensor<7xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<7xi64>) {
    ^bb0(%out: i64):
      %7 = linalg.index 0 : index
      %8 = arith.index_cast %7 : index to i64
      linalg.yield %8 : i64
    } -> tensor<7xi64>
    %expanded_1 = tensor.expand_shape %1 [[0, 1]] output_shape [7, 1] : tensor<7xi64> into tensor<7x1xi64>
    %2 = tensor.empty() : tensor<7x7xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%1, %expanded_1 : tensor<7xi64>, tensor<7x1xi64>) outs(%2 : tensor<7x7xi1>) {
    ^bb0(%in: i64, %in_2: i64, %out: i1):
      %7 = arith.cmpi eq, %in, %in_2 : i64
      linalg.yield %7 : i1
    } -> tensor<7x7xi1>
    %4 = tensor.empty() : tensor<7x7xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %expanded, %cst : tensor<7x7xi1>, tensor<1x7xf32>, tensor<f32>) outs(%4 : tensor<7x7xf32>) {
    ^bb0(%in: i1, %in_2: f32, %in_3: f32, %out: f32):
      %7 = arith.select %in, %in_2, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<7x7xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<7x7xf32>) outs(%4 : tensor<7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %cst_0 : f32
      linalg.yield %7 : f32
    } -> tensor<7x7xf32>
    return %6 : tensor<7x7xf32>
  }
}
