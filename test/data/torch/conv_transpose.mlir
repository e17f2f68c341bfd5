// {"inputs": [{"seed": 93401850, "shape": [1, 4, 6, 6], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 760699398, "shape": [4, 3, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1048745300, "shape": [3], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.42, "sum": 84.4, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x4x6x6xf32>) -> tensor<1x3x11x11xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<4x3x3x3xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<3xf32>
    %c2 = arith.constant 2 : index
    %0 = tensor.empty() : tensor<3x4x3x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x4x3x3xf32>) -> tensor<3x4x3x3xf32>
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%1 : tensor<3x4x3x3xf32>) {
    ^bb0(%out: f32):
      %7 = linalg.index 0 : index
      %8 = linalg.index 1 : index
      %9 = linalg.index 2 : index
      %10 = linalg.index 3 : index
      %11 = arith.subi %c2, %9 : index
      %12 = arith.subi %c2, %10 : index
      %extracted = tensor.extract %cst_0[%8, %7, %11, %12] : tensor<4x3x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<3x4x3x3xf32>
    %3 = tensor.empty() : tensor<1x4x13x13xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x4x13x13xf32>) -> tensor<1x4x13x13xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %4[0, 0, 1, 1] [1, 4, 6, 6] [1, 1, 2, 2] : tensor<1x4x6x6xf32> into tensor<1x4x13x13xf32>
    %5 = tensor.empty() : tensor<1x3x11x11xf32>
    %broadcasted = linalg.broadcast ins(%cst_1 : tensor<3xf32>) outs(%5 : tensor<1x3x11x11xf32>) dimensions = [0, 2, 3] 
    %6 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%inserted_slice, %2 : tensor<1x4x13x13xf32>, tensor<3x4x3x3xf32>) outs(%broadcasted : tensor<1x3x11x11xf32>) -> tensor<1x3x11x11xf32>
    return %6 : tensor<1x3x11x11xf32>
  }
}

