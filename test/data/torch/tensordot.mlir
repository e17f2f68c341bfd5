// {"inputs": [{"seed": 1997733311, "shape": [3, 4, 5], "dtype": "float32", "low": null, "high": null}, {"seed": 1428777, "shape": [4, 5, 2], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 12.7, "sum": 436.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<3x4x5xf32>, %arg1: tensor<4x5x2xf32>) -> tensor<3x2xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<3x4x5xf32> into tensor<3x20xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<4x5x2xf32> into tensor<20x2xf32>
    %0 = tensor.empty() : tensor<3x2xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %2 = linalg.matmul ins(%collapsed, %collapsed_0 : tensor<3x20xf32>, tensor<20x2xf32>) outs(%1 : tensor<3x2xf32>) -> tensor<3x2xf32>
    return %2 : tensor<3x2xf32>
  }
}
