// {"inputs": [{"seed": 467349985, "shape": [6, 7], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<6x7xf32>) -> tensor<6x7xi64> {
    %cst = arith.constant 1.09951163E+12 : f32
    %0 = tensor.empty() : tensor<6x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x7xf32>) outs(%0 : tensor<6x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.mulf %in, %cst : f32
      linalg.yield %4 : f32
    } -> tensor<6x7xf32>
    %2 = tensor.empty() : tensor<6x7xi64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x7xf32>) outs(%2 : tensor<6x7xi64>) {
    ^bb0(%in: f32, %out: i64):
      %4 = arith.fptosi %in : f32 to i64
      linalg.yield %4 : i64
    } -> tensor<6x7xi64>
    return %3 : tensor<6x7xi64>
  }
}
