// {"inputs": [{"seed": 1670842825, "shape": [9, 5], "dtype": "int64", "low": -1000, "high": 1000}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<9x5xi64>) -> tensor<9x5xi64> {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<9x5xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<9x5xi64>) -> tensor<9x5xi64>
    %2 = tensor.empty() : tensor<5xi64>
    %3 = linalg.fill ins(%c0_i64 : i64) outs(%2 : tensor<5xi64>) -> tensor<5xi64>
    %4:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%arg0 : tensor<9x5xi64>) outs(%1, %3 : tensor<9x5xi64>, tensor<5xi64>) {
    ^bb0(%arg1: i64, %arg2: i64):
      %5 = arith.addi %arg1, %arg2 : i64
      tm_tensor.yield %5 : i64
    } -> tensor<9x5xi64>, tensor<5xi64>
    return %4#0 : tensor<9x5xi64>
  }
}
