// {"inputs": [{"seed": 120033712, "shape": [2, 3, 15], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.81, "sum": 3.63, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<2x3x15xf32>) -> tensor<2x3x7xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 3.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [2, 3, 1, 15] : tensor<2x3x15xf32> into tensor<2x3x1x15xf32>
    %0 = tensor.empty() : tensor<2x3x1x7xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x3x1x7xf32>) -> tensor<2x3x1x7xf32>
    %2 = tensor.empty() : tensor<1x3xf32>
    %3 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<[1, 2]> : vector<2xi64>} ins(%expanded, %2 : tensor<2x3x1x15xf32>, tensor<1x3xf32>) outs(%1 : tensor<2x3x1x7xf32>) -> tensor<2x3x1x7xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x3x1x7xf32>) outs(%0 : tensor<2x3x1x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.divf %in, %cst_0 : f32
      linalg.yield %5 : f32
    } -> tensor<2x3x1x7xf32>
    %collapsed = tensor.collapse_shape %4 [[0], [1, 2], [3]] : tensor<2x3x1x7xf32> into tensor<2x3x7xf32>
    return %collapsed : tensor<2x3x7xf32>
  }
}
