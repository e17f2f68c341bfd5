// {"inputs": [{"seed": 260363739, "shape": [3, 6, 7], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 6.12, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<3x6x7xf32>) -> tensor<3x6xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<3x6xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<3x6xf32>) {
    ^bb0(%out: f32):
      %3 = linalg.index 1 : index
      %4 = arith.addi %3, %c1 : index
      %5 = linalg.index 0 : index
      %extracted = tensor.extract %arg0[%5, %3, %4] : tensor<3x6x7xf32>
      linalg.yield %extracted : f32
    } -> tensor<3x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<3x6xf32>) outs(%0 : tensor<3x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst : f32
      linalg.yield %3 : f32
    } -> tensor<3x6xf32>
    return %2 : tensor<3x6xf32>
  }
}
