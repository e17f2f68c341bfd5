// {"inputs": [{"seed": 1123518411, "shape": [2, 3, 13, 13], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1758993352, "shape": [8, 3, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 3.19, "sum": 128.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<2x3x13x13xf32>) -> tensor<2x8x7x7xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<8x3x3x3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<2x3x13x13xf32> to tensor<2x3x15x15xf32>
    %0 = tensor.empty() : tensor<2x8x7x7xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x8x7x7xf32>) -> tensor<2x8x7x7xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_0 : tensor<2x3x15x15xf32>, tensor<8x3x3x3xf32>) outs(%1 : tensor<2x8x7x7xf32>) -> tensor<2x8x7x7xf32>
    return %2 : tensor<2x8x7x7xf32>
  }
}

