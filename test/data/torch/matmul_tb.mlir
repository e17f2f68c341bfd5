// {"inputs": [{"seed": 1219324637, "shape": [24, 40], "dtype": "float32", "low": null, "high": null}, {"seed": 1068128843, "shape": [32, 40], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 32.2, "sum": 2280.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<24x40xf32>, %arg1: tensor<32x40xf32>) -> tensor<24x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<40x32xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<32x40xf32>) outs(%0 : tensor<40x32xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<24x32xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<24x32xf32>) -> tensor<24x32xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<24x40xf32>, tensor<40x32xf32>) outs(%2 : tensor<24x32xf32>) -> tensor<24x32xf32>
    return %3 : tensor<24x32xf32>
  }
}
