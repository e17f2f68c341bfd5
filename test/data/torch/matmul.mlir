// {"inputs": [{"seed": 1542830930, "shape": [32, 48], "dtype": "float32", "low": null, "high": null}, {"seed": 754092996, "shape": [48, 64], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 39.1, "sum": 3350.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<32x48xf32>, %arg1: tensor<48x64xf32>) -> tensor<32x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<32x64xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<32x48xf32>, tensor<48x64xf32>) outs(%1 : tensor<32x64xf32>) -> tensor<32x64xf32>
    return %2 : tensor<32x64xf32>
  }
}
