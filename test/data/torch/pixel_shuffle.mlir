// {"inputs": [{"seed": 106256480, "shape": [1, 8, 5, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.99, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x8x5x5xf32>) -> tensor<1x2x10x10xf32> {
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 2, 2, 5, 5] : tensor<1x8x5x5xf32> into tensor<1x2x2x2x5x5xf32>
    %0 = tensor.empty() : tensor<1x2x5x2x5x2xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x2x2x2x5x5xf32>) outs(%0 : tensor<1x2x5x2x5x2xf32>) permutation = [0, 1, 4, 2, 5, 3] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1], [2, 3], [4, 5]] : tensor<1x2x5x2x5x2xf32> into tensor<1x2x10x10xf32>
    return %collapsed : tensor<1x2x10x10xf32>
  }
}
