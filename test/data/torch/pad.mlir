// {"inputs": [{"seed": 1198648457, "shape": [6, 9], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.98, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<6x9xf32>) -> tensor<9x12xf32> {
    %cst = arith.constant 1.500000e+00 : f32
    %padded = tensor.pad %arg0 low[3, 1] high[0, 2] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %cst : f32
    } : tensor<6x9xf32> to tensor<9x12xf32>
    return %padded : tensor<9x12xf32>
  }
}
