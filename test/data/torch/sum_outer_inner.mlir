// {"inputs": [{"seed": 1338458828, "shape": [4, 9, 16], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 13.4, "sum": 4450.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1)>
module {
  func.func @main(%arg0: tensor<4x9x16xf32>) -> tensor<9xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<9xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<9xf32>) -> tensor<9xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction"]} ins(%arg0 : tensor<4x9x16xf32>) outs(%1 : tensor<9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<9xf32>
    return %2 : tensor<9xf32>
  }
}
