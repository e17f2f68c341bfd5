// {"inputs": [{"seed": 1771686075, "shape": [2, 3, 9, 16], "dtype": "float32", "low": null, "high": null}, {"seed": 513734701, "shape": [2, 3, 11, 16], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 15.4, "sum": 447.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<2x3x9x16xf32>, %arg1: tensor<2x3x11x16xf32>) -> tensor<2x3x9x11xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg1 [[0], [1], [2], [3, 4]] output_shape [2, 3, 11, 16, 1] : tensor<2x3x11x16xf32> into tensor<2x3x11x16x1xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x9x16xf32> into tensor<6x9x16xf32>
    %0 = tensor.empty() : tensor<2x3x16x11x1xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x3x11x16x1xf32>) outs(%0 : tensor<2x3x16x11x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_0 = tensor.collapse_shape %transposed [[0, 1], [2], [3, 4]] : tensor<2x3x16x11x1xf32> into tensor<6x16x11xf32>
    %1 = tensor.empty() : tensor<6x9x11xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x9x11xf32>) -> tensor<6x9x11xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_0 : tensor<6x9x16xf32>, tensor<6x16x11xf32>) outs(%2 : tensor<6x9x11xf32>) -> tensor<6x9x11xf32>
    %expanded_1 = tensor.expand_shape %3 [[0, 1], [2], [3, 4]] output_shape [2, 3, 9, 1, 11] : tensor<6x9x11xf32> into tensor<2x3x9x1x11xf32>
    %4 = tensor.empty() : tensor<2x3x9x11x1xf32>
    %transposed_2 = linalg.transpose ins(%expanded_1 : tensor<2x3x9x1x11xf32>) outs(%4 : tensor<2x3x9x11x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_3 = tensor.collapse_shape %transposed_2 [[0], [1], [2], [3, 4]] : tensor<2x3x9x11x1xf32> into tensor<2x3x9x11xf32>
    return %collapsed_3 : tensor<2x3x9x11xf32>
  }
}
