// {"inputs": [{"seed": 1003093676, "shape": [1, 2, 14, 9], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 99964326, "shape": [3, 2, 5, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1414301420, "shape": [3], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.21, "sum": 141.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x2x14x9xf32>) -> tensor<1x3x7x7xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<3x2x5x3xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 2, 0] high[0, 0, 2, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x2x14x9xf32> to tensor<1x2x18x9xf32>
    %0 = tensor.empty() : tensor<1x3x7x7xf32>
    %broadcasted = linalg.broadcast ins(%cst_1 : tensor<3xf32>) outs(%0 : tensor<1x3x7x7xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %cst_0 : tensor<1x2x18x9xf32>, tensor<3x2x5x3xf32>) outs(%broadcasted : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
    return %1 : tensor<1x3x7x7xf32>
  }
}

