// {"inputs": [{"seed": 2129797912, "shape": [1, 8, 5, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x8x5x5xf32>) -> tensor<1x8x5x5xf32> {
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 5, 5] : tensor<1x8x5x5xf32> into tensor<1x2x4x5x5xf32>
    %0 = tensor.empty() : tensor<1x4x2x5x5xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x2x4x5x5xf32>) outs(%0 : tensor<1x4x2x5x5xf32>) permutation = [0, 2, 1, 3, 4] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2], [3], [4]] : tensor<1x4x2x5x5xf32> into tensor<1x8x5x5xf32>
    return %collapsed : tensor<1x8x5x5xf32>
  }
}
