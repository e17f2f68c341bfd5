// {"inputs": [{"seed": 1721648208, "shape": [10, 30], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<10x30xf32>) -> tensor<10xi1> {
    %false = arith.constant false
    %cst = arith.constant 1.900000e+00 : f64
    %0 = tensor.empty() : tensor<10x30xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<10x30xf32>) outs(%0 : tensor<10x30xi1>) {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.extf %in : f32 to f64
      %6 = arith.cmpf ogt, %5, %cst : f64
      linalg.yield %6 : i1
    } -> tensor<10x30xi1>
    %2 = tensor.empty() : tensor<10xi1>
    %3 = linalg.fill ins(%false : i1) outs(%2 : tensor<10xi1>) -> tensor<10xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<10x30xi1>) outs(%3 : tensor<10xi1>) {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.ori %in, %out : i1
      linalg.yield %5 : i1
    } -> tensor<10xi1>
    return %4 : tensor<10xi1>
  }
}
