// {"inputs": [{"seed": 602760303, "shape": [1, 3, 12, 12], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1155706888, "shape": [8, 3, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1879582892, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.87, "sum": 144.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x3x12x12xf32>) -> tensor<1x8x10x10xf32> {
    %cst = arith.constant dense_resource<w0> : tensor<8x3x3x3xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<8xf32>
    %0 = tensor.empty() : tensor<1x8x10x10xf32>
    %broadcasted = linalg.broadcast ins(%cst_0 : tensor<8xf32>) outs(%0 : tensor<1x8x10x10xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %cst : tensor<1x3x12x12xf32>, tensor<8x3x3x3xf32>) outs(%broadcasted : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    return %1 : tensor<1x8x10x10xf32>
  }
}

