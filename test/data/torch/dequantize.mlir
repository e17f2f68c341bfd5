// {"inputs": [{"seed": 1874808794, "shape": [30, 7], "dtype": "int8", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<30x7xi8>) -> tensor<30x7xf32> {
    %cst = arith.constant 3.000000e+00 : f32
    %cst_0 = arith.constant 6.250000e-02 : f32
    %0 = tensor.empty() : tensor<30x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<30x7xi8>) outs(%0 : tensor<30x7xf32>) {
    ^bb0(%in: i8, %out: f32):
      %4 = arith.sitofp %in : i8 to f32
      linalg.yield %4 : f32
    } -> tensor<30x7xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<30x7xf32>) outs(%0 : tensor<30x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.subf %in, %cst : f32
      linalg.yield %4 : f32
    } -> tensor<30x7xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<30x7xf32>) outs(%0 : tensor<30x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.mulf %in, %cst_0 : f32
      linalg.yield %4 : f32
    } -> tensor<30x7xf32>
    return %3 : tensor<30x7xf32>
  }
}
