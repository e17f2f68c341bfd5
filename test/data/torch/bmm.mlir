// {"inputs": [{"seed": 408333404, "shape": [3, 16, 24], "dtype": "float32", "low": null, "high": null}, {"seed": 1867619530, "shape": [3, 24, 8], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 20.8, "sum": 846.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<3x16x24xf32>, %arg1: tensor<3x24x8xf32>) -> tensor<3x16x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<3x16x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x16x8xf32>) -> tensor<3x16x8xf32>
    %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<3x16x24xf32>, tensor<3x24x8xf32>) outs(%1 : tensor<3x16x8xf32>) -> tensor<3x16x8xf32>
    return %2 : tensor<3x16x8xf32>
  }
}
