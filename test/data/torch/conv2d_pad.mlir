// {"inputs": [{"seed": 1865943477, "shape": [1, 8, 9, 11], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 585537463, "shape": [16, 8, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w1": {"seed": 1459399479, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 3.12, "sum": 440.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<1x8x9x11xf32>) -> tensor<1x16x9x11xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<16x8x3x3xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<16xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x9x11xf32> to tensor<1x8x11x13xf32>
    %0 = tensor.empty() : tensor<1x16x9x11xf32>
    %broadcasted = linalg.broadcast ins(%cst_1 : tensor<16xf32>) outs(%0 : tensor<1x16x9x11xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_0 : tensor<1x8x11x13xf32>, tensor<16x8x3x3xf32>) outs(%broadcasted : tensor<1x16x9x11xf32>) -> tensor<1x16x9x11xf32>
    return %1 : tensor<1x16x9x11xf32>
  }
}

