// {"inputs": [{"seed": 827902849, "shape": [2, 4, 30], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 2104462541, "shape": [6, 4, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1105211953, "shape": [6], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.79, "sum": 30.1, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<2x4x30xf32>) -> tensor<2x6x28xf32> {
    %cst = arith.constant dense_resource<w0> : tensor<6x4x3xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<6xf32>
    %0 = tensor.empty() : tensor<2x6x28xf32>
    %broadcasted = linalg.broadcast ins(%cst_0 : tensor<6xf32>) outs(%0 : tensor<2x6x28xf32>) dimensions = [0, 2] 
    %1 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%arg0, %cst : tensor<2x4x30xf32>, tensor<6x4x3xf32>) outs(%broadcasted : tensor<2x6x28xf32>) -> tensor<2x6x28xf32>
    return %1 : tensor<2x6x28xf32>
  }
}

