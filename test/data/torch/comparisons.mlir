// {"inputs": [{"seed": 530487035, "shape": [9, 31], "dtype": "float32", "low": null, "high": null}, {"seed": 1754900077, "shape": [9, 31], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<9x31xf32>, %arg1: tensor<9x31xf32>) -> (tensor<9x31xi1>, tensor<9x31xi1>, tensor<9x31xi1>, tensor<9x31xi1>) {
    %true = arith.constant true
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<9x31xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<9x31xf32>, tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %8 = arith.cmpf olt, %in, %in_0 : f32
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<9x31xf32>, tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %8 = arith.cmpf oge, %in, %in_0 : f32
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<9x31xf32>, tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %8 = arith.cmpf oeq, %in, %in_0 : f32
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %out: i1):
      %8 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %out: i1):
      %8 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<9x31xi1>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: i1, %out: i1):
      %8 = arith.xori %in, %true : i1
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<9x31xi1>, tensor<9x31xi1>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: i1, %in_0: i1, %out: i1):
      %8 = arith.andi %in, %in_0 : i1
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    return %1, %2, %3, %7 : tensor<9x31xi1>, tensor<9x31xi1>, tensor<9x31xi1>, tensor<9x31xi1>
  }
}
