// {"inputs": [{"seed": 760482320, "shape": [5, 9], "dtype": "int64", "low": -2147483648, "high": 2147483647}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x9xi64>) -> tensor<5x9xi64> {
    %c7_i64 = arith.constant 7 : i64
    %c3_i64 = arith.constant 3 : i64
    %0 = tensor.empty() : tensor<5x9xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x9xi64>) outs(%0 : tensor<5x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %3 = arith.muli %in, %c3_i64 : i64
      linalg.yield %3 : i64
    } -> tensor<5x9xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<5x9xi64>) outs(%0 : tensor<5x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %3 = arith.addi %in, %c7_i64 : i64
      linalg.yield %3 : i64
    } -> tensor<5x9xi64>
    return %2 : tensor<5x9xi64>
  }
}
