// {"inputs": [{"seed": 45238056, "shape": [9, 13], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.99, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<9x13xf32>) -> tensor<9x13xf32> {
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<13xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<13xi64>) {
    ^bb0(%out: i64):
      %10 = linalg.index 0 : index
      %11 = arith.index_cast %10 : index to i64
      linalg.yield %11 : i64
    } -> tensor<13xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 13] : tensor<13xi64> into tensor<1x13xi64>
    %2 = tensor.empty() : tensor<9xi64>
    %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%2 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %10 = linalg.index 0 : index
      %11 = arith.index_cast %10 : index to i64
      linalg.yield %11 : i64
    } -> tensor<9xi64>
    %expanded_0 = tensor.expand_shape %3 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %4 = tensor.empty() : tensor<9x13xi64>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_0 : tensor<1x13xi64>, tensor<9x1xi64>) outs(%4 : tensor<9x13xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %10 = arith.subi %in, %in_1 : i64
      linalg.yield %10 : i64
    } -> tensor<9x13xi64>
    %6 = tensor.empty() : tensor<9x13xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<9x13xi64>) outs(%6 : tensor<9x13xi1>) {
    ^bb0(%in: i64, %out: i1):
      %10 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %10 : i1
    } -> tensor<9x13xi1>
    %8 = tensor.empty() : tensor<9x13xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%7, %arg0, %cst : tensor<9x13xi1>, tensor<9x13xf32>, tensor<f32>) outs(%8 : tensor<9x13xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %10 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %10 : f32
    } -> tensor<9x13xf32>
    return %9 : tensor<9x13xf32>
  }
}
