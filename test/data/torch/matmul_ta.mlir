// {"inputs": [{"seed": 1256969348, "shape": [24, 40], "dtype": "float32", "low": null, "high": null}, {"seed": 1038935058, "shape": [24, 32], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 21.6, "sum": 940.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<24x40xf32>, %arg1: tensor<24x32xf32>) -> tensor<40x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<40x24xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<24x40xf32>) outs(%0 : tensor<40x24xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<40x32xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<40x32xf32>) -> tensor<40x32xf32>
    %3 = linalg.matmul ins(%transposed, %arg1 : tensor<40x24xf32>, tensor<24x32xf32>) outs(%2 : tensor<40x32xf32>) -> tensor<40x32xf32>
    return %3 : tensor<40x32xf32>
  }
}
