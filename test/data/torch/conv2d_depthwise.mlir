// {"inputs": [{"seed": 507276532, "shape": [1, 16, 10, 10], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1092852063, "shape": [16, 1, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 943921098, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.84, "sum": 21.7, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x16x10x10xf32>) -> tensor<1x16x10x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<16x1x3x3xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<16xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x16x10x10xf32> to tensor<1x16x12x12xf32>
    %0 = tensor.empty() : tensor<1x16x10x10xf32>
    %broadcasted = linalg.broadcast ins(%cst_1 : tensor<16xf32>) outs(%0 : tensor<1x16x10x10xf32>) dimensions = [0, 2, 3] 
    %collapsed = tensor.collapse_shape %cst_0 [[0, 1], [2], [3]] : tensor<16x1x3x3xf32> into tensor<16x3x3xf32>
    %1 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %collapsed : tensor<1x16x12x12xf32>, tensor<16x3x3xf32>) outs(%broadcasted : tensor<1x16x10x10xf32>) -> tensor<1x16x10x10xf32>
    return %1 : tensor<1x16x10x10xf32>
  }
}

