// {"inputs": [{"seed": 388680645, "shape": [37, 64], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<37x64xf32>) -> tensor<64x37xf32> {
    %0 = tensor.empty() : tensor<64x37xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<37x64xf32>) outs(%0 : tensor<64x37xf32>) permutation = [1, 0] 
    return %transposed : tensor<64x37xf32>
  }
}
