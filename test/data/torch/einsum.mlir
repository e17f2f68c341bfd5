// {"inputs": [{"seed": 1201704105, "shape": [2, 9, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 816299071, "shape": [8, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 9.49, "sum": 107.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<2x9x8xf32>, %arg1: tensor<8x5xf32>) -> tensor<2x5x9xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x9x8xf32> into tensor<18x8xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1], [2]] output_shape [1, 18, 8] : tensor<18x8xf32> into tensor<1x18x8xf32>
    %expanded_0 = tensor.expand_shape %arg1 [[0, 1], [2]] output_shape [1, 8, 5] : tensor<8x5xf32> into tensor<1x8x5xf32>
    %0 = tensor.empty() : tensor<1x18x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x18x5xf32>) -> tensor<1x18x5xf32>
    %2 = linalg.batch_matmul ins(%expanded, %expanded_0 : tensor<1x18x8xf32>, tensor<1x8x5xf32>) outs(%1 : tensor<1x18x5xf32>) -> tensor<1x18x5xf32>
    %collapsed_1 = tensor.collapse_shape %2 [[0, 1], [2]] : tensor<1x18x5xf32> into tensor<18x5xf32>
    %expanded_2 = tensor.expand_shape %collapsed_1 [[0, 1], [2, 3]] output_shape [2, 9, 1, 5] : tensor<18x5xf32> into tensor<2x9x1x5xf32>
    %3 = tensor.empty() : tensor<2x5x9x1xf32>
    %transposed = linalg.transpose ins(%expanded_2 : tensor<2x9x1x5xf32>) outs(%3 : tensor<2x5x9x1xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_3 = tensor.collapse_shape %transposed [[0], [1], [2, 3]] : tensor<2x5x9x1xf32> into tensor<2x5x9xf32>
    return %collapsed_3 : tensor<2x5x9xf32>
  }
}
