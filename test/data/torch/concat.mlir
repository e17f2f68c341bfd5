// {"inputs": [{"seed": 1316192161, "shape": [4, 6], "dtype": "float32", "low": null, "high": null}, {"seed": 963923767, "shape": [4, 3], "dtype": "float32", "low": null, "high": null}, {"seed": 545070733, "shape": [4, 1], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<4x1xf32>) -> tensor<4x10xf32> {
    %concat = tensor.concat dim(1) %arg0, %arg1, %arg2 : (tensor<4x6xf32>, tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x10xf32>
    return %concat : tensor<4x10xf32>
  }
}
