// {"inputs": [{"seed": 1262060036, "shape": [3, 5, 7], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.94, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<3x5x7xf32>) -> tensor<5x7x3xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<5x7x3xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<3x5x7xf32>) outs(%0 : tensor<5x7x3xf32>) permutation = [1, 2, 0] 
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<5x7x3xf32>) outs(%0 : tensor<5x7x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<5x7x3xf32>
    return %1 : tensor<5x7x3xf32>
  }
}
