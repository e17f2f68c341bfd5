// {"inputs": [{"seed": 73333228, "shape": [1, 8, 8, 8], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1616097567, "shape": [12, 2, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 100440883, "shape": [12], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.32, "sum": 63.4, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x8x8x8xf32>) -> tensor<1x12x8x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<12x2x3x3xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<12xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x8x8xf32> to tensor<1x8x10x10xf32>
    %0 = tensor.empty() : tensor<1x12x8x8xf32>
    %broadcasted = linalg.broadcast ins(%cst_1 : tensor<12xf32>) outs(%0 : tensor<1x12x8x8xf32>) dimensions = [0, 2, 3] 
    %expanded = tensor.expand_shape %padded [[0], [1, 2], [3], [4]] output_shape [1, 4, 2, 10, 10] : tensor<1x8x10x10xf32> into tensor<1x4x2x10x10xf32>
    %expanded_2 = tensor.expand_shape %cst_0 [[0, 1], [2], [3], [4]] output_shape [4, 3, 2, 3, 3] : tensor<12x2x3x3xf32> into tensor<4x3x2x3x3xf32>
    %expanded_3 = tensor.expand_shape %broadcasted [[0], [1, 2], [3], [4]] output_shape [1, 4, 3, 8, 8] : tensor<1x12x8x8xf32> into tensor<1x4x3x8x8xf32>
    %1 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%expanded, %expanded_2 : tensor<1x4x2x10x10xf32>, tensor<4x3x2x3x3xf32>) outs(%expanded_3 : tensor<1x4x3x8x8xf32>) -> tensor<1x4x3x8x8xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<1x4x3x8x8xf32> into tensor<1x12x8x8xf32>
    return %collapsed : tensor<1x12x8x8xf32>
  }
}

