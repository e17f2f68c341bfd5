// {"inputs": [{"seed": 264194514, "shape": [33, 17], "dtype": "float32", "low": null, "high": null}, {"seed": 2025355588, "shape": [17, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 13.3, "sum": 394.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<33x17xf32>, %arg1: tensor<17x5xf32>) -> tensor<33x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<33x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<33x5xf32>) -> tensor<33x5xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<33x17xf32>, tensor<17x5xf32>) outs(%1 : tensor<33x5xf32>) -> tensor<33x5xf32>
    return %2 : tensor<33x5xf32>
  }
}
