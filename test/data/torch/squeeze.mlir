// {"inputs": [{"seed": 104702490, "shape": [6, 1, 7], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.85, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<6x1x7xf32>) -> tensor<6x7x1xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<6x1x7xf32> into tensor<6x7xf32>
    %expanded = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [6, 7, 1] : tensor<6x7xf32> into tensor<6x7x1xf32>
    %0 = tensor.empty() : tensor<6x7x1xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<6x7x1xf32>) outs(%0 : tensor<6x7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<6x7x1xf32>
    return %1 : tensor<6x7x1xf32>
  }
}
