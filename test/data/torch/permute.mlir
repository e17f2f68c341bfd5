// {"inputs": [{"seed": 1854602588, "shape": [5, 8, 12], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<5x8x12xf32>) -> tensor<12x5x8xf32> {
    %0 = tensor.empty() : tensor<12x5x8xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<5x8x12xf32>) outs(%0 : tensor<12x5x8xf32>) permutation = [2, 0, 1] 
    return %transposed : tensor<12x5x8xf32>
  }
}
