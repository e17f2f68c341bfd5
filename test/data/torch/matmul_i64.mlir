// {"inputs": [{"seed": 222778859, "shape": [16, 24], "dtype": "int64", "low": -1000, "high": 1000}, {"seed": 2051040637, "shape": [24, 20], "dtype": "int64", "low": -1000, "high": 1000}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<16x24xi64>, %arg1: tensor<24x20xi64>) -> tensor<16x20xi64> {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<16x20xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<16x20xi64>) -> tensor<16x20xi64>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xi64>, tensor<24x20xi64>) outs(%1 : tensor<16x20xi64>) -> tensor<16x20xi64>
    return %2 : tensor<16x20xi64>
  }
}
