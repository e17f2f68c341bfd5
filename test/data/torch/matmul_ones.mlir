// {"inputs": [{"seed": 1182364958, "shape": [1, 24], "dtype": "float32", "low": null, "high": null}, {"seed": 830358920, "shape": [24, 1], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 7.36, "sum": 549.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x24xf32>, %arg1: tensor<24x1xf32>) -> tensor<1x1xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<1x24xf32>, tensor<24x1xf32>) outs(%1 : tensor<1x1xf32>) -> tensor<1x1xf32>
    return %2 : tensor<1x1xf32>
  }
}
