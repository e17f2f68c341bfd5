// {"inputs": [{"seed": 753780075, "shape": [10, 12], "dtype": "float32", "low": 0.5, "high": 1.5}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 14.8, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<10x12xf32>) -> tensor<10xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<10xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<10xf32>) -> tensor<10xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<10x12xf32>) outs(%1 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<10xf32>
    return %2 : tensor<10xf32>
  }
}
