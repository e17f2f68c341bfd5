// {"inputs": [{"seed": 144653346, "shape": [32, 33], "dtype": "int32", "low": -2147483648, "high": 2147483647}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<32x33xi32>) -> tensor<32xi64> {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<32xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<32xi64>) -> tensor<32xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<32x33xi32>) outs(%1 : tensor<32xi64>) {
    ^bb0(%in: i32, %out: i64):
      %3 = arith.extsi %in : i32 to i64
      %4 = arith.addi %3, %out : i64
      linalg.yield %4 : i64
    } -> tensor<32xi64>
    return %2 : tensor<32xi64>
  }
}
