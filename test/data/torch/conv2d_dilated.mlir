// {"inputs": [{"seed": 1576511007, "shape": [1, 4, 15, 15], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 2063244511, "shape": [5, 4, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w1": {"seed": 542575796, "shape": [5], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.55, "sum": 121.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x4x15x15xf32>) -> tensor<1x5x11x11xf32> {
    %cst = arith.constant dense_resource<w0> : tensor<5x4x3x3xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<5xf32>
    %0 = tensor.empty() : tensor<1x5x11x11xf32>
    %broadcasted = linalg.broadcast ins(%cst_0 : tensor<5xf32>) outs(%0 : tensor<1x5x11x11xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %cst : tensor<1x4x15x15xf32>, tensor<5x4x3x3xf32>) outs(%broadcasted : tensor<1x5x11x11xf32>) -> tensor<1x5x11x11xf32>
    return %1 : tensor<1x5x11x11xf32>
  }
}

