// {"inputs": [{"seed": 690752049, "shape": [5, 31], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.99, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x31xf32>) -> tensor<5x31xf32> {
    %cst = arith.constant 1.000000e-01 : f64
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<5x31xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x31xf32>) outs(%0 : tensor<5x31xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.truncf %cst : f64 to f32
      %4 = arith.cmpf ult, %in, %3 : f32
      %5 = arith.select %4, %3, %in : f32
      linalg.yield %5 : f32
    } -> tensor<5x31xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<5x31xf32>) outs(%0 : tensor<5x31xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.cmpf ugt, %in, %cst_0 : f32
      %4 = arith.select %3, %cst_0, %in : f32
      linalg.yield %4 : f32
    } -> tensor<5x31xf32>
    return %2 : tensor<5x31xf32>
  }
}
