// {"inputs": [{"seed": 735863745, "shape": [40, 24], "dtype": "float32", "low": null, "high": null}, {"seed": 1557877591, "shape": [32, 40], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 26.2, "sum": 2240.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<40x24xf32>, %arg1: tensor<32x40xf32>) -> tensor<24x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<24x40xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<40x24xf32>) outs(%0 : tensor<24x40xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<40x32xf32>
    %transposed_0 = linalg.transpose ins(%arg1 : tensor<32x40xf32>) outs(%1 : tensor<40x32xf32>) permutation = [1, 0] 
    %2 = tensor.empty() : tensor<24x32xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<24x32xf32>) -> tensor<24x32xf32>
    %4 = linalg.matmul ins(%transposed, %transposed_0 : tensor<24x40xf32>, tensor<40x32xf32>) outs(%3 : tensor<24x32xf32>) -> tensor<24x32xf32>
    return %4 : tensor<24x32xf32>
  }
}
