// {"inputs": [{"seed": 478109582, "shape": [5, 31], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x31xf32>) -> tensor<5x31xi1> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %false = arith.constant false
    %0 = tensor.empty() : tensor<5x31xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x31xf32>) outs(%0 : tensor<5x31xi1>) {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %5 : i1
    } -> tensor<5x31xi1>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x31xf32>) outs(%0 : tensor<5x31xi1>) {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %5 : i1
    } -> tensor<5x31xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<5x31xi1>) outs(%0 : tensor<5x31xi1>) {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.cmpi eq, %in, %false : i1
      linalg.yield %5 : i1
    } -> tensor<5x31xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<5x31xi1>, tensor<5x31xi1>) outs(%0 : tensor<5x31xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %5 = arith.andi %in, %in_1 : i1
      linalg.yield %5 : i1
    } -> tensor<5x31xi1>
    return %4 : tensor<5x31xi1>
  }
}
