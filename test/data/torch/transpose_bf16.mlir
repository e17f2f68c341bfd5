// {"inputs": [{"seed": 715772743, "shape": [32, 64], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<32x64xbf16>) -> tensor<64x32xbf16> {
    %0 = tensor.empty() : tensor<64x32xbf16>
    %transposed = linalg.transpose ins(%arg0 : tensor<32x64xbf16>) outs(%0 : tensor<64x32xbf16>) permutation = [1, 0] 
    return %transposed : tensor<64x32xbf16>
  }
}
