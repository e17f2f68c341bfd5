// {"inputs": [{"seed": 1305316354, "shape": [1, 16, 7, 7], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1312551585, "shape": [24, 16, 1, 1], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 500050205, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 3.05, "sum": 58.1, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x16x7x7xf32>) -> tensor<1x24x7x7xf32> {
    %cst = arith.constant dense_resource<w0> : tensor<24x16x1x1xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<24xf32>
    %0 = tensor.empty() : tensor<1x24x7x7xf32>
    %broadcasted = linalg.broadcast ins(%cst_0 : tensor<24xf32>) outs(%0 : tensor<1x24x7x7xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %cst : tensor<1x16x7x7xf32>, tensor<24x16x1x1xf32>) outs(%broadcasted : tensor<1x24x7x7xf32>) -> tensor<1x24x7x7xf32>
    return %1 : tensor<1x24x7x7xf32>
  }
}

