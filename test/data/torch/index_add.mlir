// {"inputs": [{"seed": 1608917535, "shape": [6, 5], "dtype": "float32", "low": null, "high": null}, {"seed": 685838985, "shape": [9], "dtype": "int64", "low": 0, "high": 6}, {"seed": 837305139, "shape": [9, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.56, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<6x5xf32>, %arg1: tensor<9xi64>, %arg2: tensor<9x5xf32>) -> tensor<6x5xf32> {
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %expanded_0 = tensor.expand_shape %arg2 [[0], [1, 2]] output_shape [9, 1, 5] : tensor<9x5xf32> into tensor<9x1x5xf32>
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%expanded_0, %expanded : tensor<9x1x5xf32>, tensor<9x1xi64>) outs(%arg0 : tensor<6x5xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.addf %arg4, %arg3 : f32
      tm_tensor.yield %1 : f32
    } -> tensor<6x5xf32>
    return %0 : tensor<6x5xf32>
  }
}
