// {"inputs": [{"seed": 646348092, "shape": [5, 9], "dtype": "int64", "low": -1000, "high": 1000}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x9xi64>) -> tensor<5x9xi64> {
    %c7_i64 = arith.constant 7 : i64
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<5x9xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x9xi64>) outs(%0 : tensor<5x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %2 = arith.remsi %in, %c7_i64 : i64
      %3 = arith.cmpi ne, %2, %c0_i64 : i64
      %4 = arith.cmpi slt, %2, %c0_i64 : i64
      %5 = arith.andi %3, %4 : i1
      %6 = arith.addi %2, %c7_i64 : i64
      %7 = arith.select %5, %6, %2 : i64
      linalg.yield %7 : i64
    } -> tensor<5x9xi64>
    return %1 : tensor<5x9xi64>
  }
}
