// {"inputs": [{"seed": 685178870, "shape": [2, 3, 8, 16], "dtype": "float32", "low": null, "high": null}, {"seed": 1607585632, "shape": [16, 12], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 18.5, "sum": 391.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<2x3x8x16xf32>, %arg1: tensor<16x12xf32>) -> tensor<2x3x8x12xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2], [3]] : tensor<2x3x8x16xf32> into tensor<48x16xf32>
    %0 = tensor.empty() : tensor<48x12xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<48x12xf32>) -> tensor<48x12xf32>
    %2 = linalg.matmul ins(%collapsed, %arg1 : tensor<48x16xf32>, tensor<16x12xf32>) outs(%1 : tensor<48x12xf32>) -> tensor<48x12xf32>
    %expanded = tensor.expand_shape %2 [[0, 1, 2], [3]] output_shape [2, 3, 8, 12] : tensor<48x12xf32> into tensor<2x3x8x12xf32>
    return %expanded : tensor<2x3x8x12xf32>
  }
}
