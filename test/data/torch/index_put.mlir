// {"inputs": [{"seed": 1994723239, "shape": [20, 6], "dtype": "float32", "low": null, "high": null}, {"seed": 31604529, "shape": [1], "dtype": "int64", "low": 0, "high": 20}, {"seed": 418082443, "shape": [1, 6], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<20x6xf32>, %arg1: tensor<1xi64>, %arg2: tensor<1x6xf32>) -> tensor<20x6xf32> {
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [1, 1] : tensor<1xi64> into tensor<1x1xi64>
    %expanded_0 = tensor.expand_shape %arg2 [[0], [1, 2]] output_shape [1, 1, 6] : tensor<1x6xf32> into tensor<1x1x6xf32>
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%expanded_0, %expanded : tensor<1x1x6xf32>, tensor<1x1xi64>) outs(%arg0 : tensor<20x6xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      tm_tensor.yield %arg3 : f32
    } -> tensor<20x6xf32>
    return %0 : tensor<20x6xf32>
  }
}
