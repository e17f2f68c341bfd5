// {"inputs": [{"seed": 289791959, "shape": [9, 9], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.8, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<9x9xf32>) -> tensor<9x9xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<9xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %8 = linalg.index 0 : index
      %9 = arith.index_cast %8 : index to i64
      linalg.yield %9 : i64
    } -> tensor<9xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %expanded_0 = tensor.expand_shape %1 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %2 = tensor.empty() : tensor<9x9xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_0 : tensor<1x9xi64>, tensor<9x1xi64>) outs(%2 : tensor<9x9xi64>) {
    ^bb0(%in: i64, %in_1: i64, %out: i64):
      %8 = arith.subi %in, %in_1 : i64
      linalg.yield %8 : i64
    } -> tensor<9x9xi64>
    %4 = tensor.empty() : tensor<9x9xi1>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<9x9xi64>) outs(%4 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %8 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %8 : i1
    } -> tensor<9x9xi1>
    %6 = tensor.empty() : tensor<9x9xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %arg0, %cst : tensor<9x9xi1>, tensor<9x9xf32>, tensor<f32>) outs(%6 : tensor<9x9xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %8 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %8 : f32
    } -> tensor<9x9xf32>
    return %7 : tensor<9x9xf32>
  }
}
