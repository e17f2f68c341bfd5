// {"inputs": [{"seed": 1069672508, "shape": [5, 9], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.99, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<5x9xf32>) -> tensor<4x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, -1] high[-1, 2] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %cst : f32
    } : tensor<5x9xf32> to tensor<4x10xf32>
    return %padded : tensor<4x10xf32>
  }
}
