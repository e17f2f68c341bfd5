// {"inputs": [{"seed": 751102408, "shape": [5, 6, 8], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 4.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x6x8xf32>) -> tensor<15x16xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<5x6x8xf32> into tensor<240xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [15, 16] : tensor<240xf32> into tensor<15x16xf32>
    %0 = tensor.empty() : tensor<15x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<15x16xf32>) outs(%0 : tensor<15x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.mulf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<15x16xf32>
    return %1 : tensor<15x16xf32>
  }
}
