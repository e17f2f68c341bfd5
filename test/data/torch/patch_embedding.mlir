// {"inputs": [{"seed": 1777282366, "shape": [1, 3, 16, 16], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1316625271, "shape": [24, 3, 4, 4], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w1": {"seed": 1885489590, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.65, "sum": 213.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x3x16x16xf32>) -> tensor<1x16x24xf32> {
    %cst = arith.constant dense_resource<w0> : tensor<24x3x4x4xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<24xf32>
    %0 = tensor.empty() : tensor<1x24x4x4xf32>
    %broadcasted = linalg.broadcast ins(%cst_0 : tensor<24xf32>) outs(%0 : tensor<1x24x4x4xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg0, %cst : tensor<1x3x16x16xf32>, tensor<24x3x4x4xf32>) outs(%broadcasted : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<1x24x4x4xf32> into tensor<1x24x16xf32>
    %2 = tensor.empty() : tensor<1x16x24xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x24x16xf32>) outs(%2 : tensor<1x16x24xf32>) permutation = [0, 2, 1] 
    return %transposed : tensor<1x16x24xf32>
  }
}

