// {"inputs": [{"seed": 1747501509, "shape": [1, 3, 32, 32], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1001030694, "shape": [16, 3, 7, 7], "dtype": "float32", "kind": "weight", "scale": 0.0625}, "w1": {"seed": 479825474, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.86, "sum": 852.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x3x32x32xf32>) -> tensor<1x16x16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<16x3x7x7xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<16xf32>
    %padded = tensor.pad %arg0 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x3x32x32xf32> to tensor<1x3x38x38xf32>
    %0 = tensor.empty() : tensor<1x16x16x16xf32>
    %broadcasted = linalg.broadcast ins(%cst_1 : tensor<16xf32>) outs(%0 : tensor<1x16x16x16xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_0 : tensor<1x3x38x38xf32>, tensor<16x3x7x7xf32>) outs(%broadcasted : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
    return %1 : tensor<1x16x16x16xf32>
  }
}

