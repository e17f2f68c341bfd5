// {"inputs": [{"seed": 1829627672, "shape": [9, 31], "dtype": "float32", "low": null, "high": null}, {"seed": 436918158, "shape": [9, 31], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 5.35, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<9x31xf32>, %arg1: tensor<9x31xf32>) -> tensor<9x31xf32> {
    %cst = arith.constant 2.500000e-01 : f64
    %cst_0 = arith.constant 3.000000e+00 : f32
    %0 = tensor.empty() : tensor<9x31xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<9x31xf32>, tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %in_1: f32, %out: i1):
      %8 = arith.cmpf ogt, %in, %in_1 : f32
      linalg.yield %8 : i1
    } -> tensor<9x31xi1>
    %2 = tensor.empty() : tensor<9x31xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<9x31xf32>, tensor<9x31xf32>) outs(%2 : tensor<9x31xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %8 = arith.subf %in, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<9x31xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<9x31xf32>) outs(%0 : tensor<9x31xi1>) {
    ^bb0(%in: f32, %out: i1):
      %8 = arith.extf %in : f32 to f64
      %9 = arith.cmpf ole, %8, %cst : f64
      linalg.yield %9 : i1
    } -> tensor<9x31xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<9x31xf32>) outs(%2 : tensor<9x31xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = arith.mulf %in, %cst_0 : f32
      linalg.yield %8 : f32
    } -> tensor<9x31xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg1, %5 : tensor<9x31xi1>, tensor<9x31xf32>, tensor<9x31xf32>) outs(%2 : tensor<9x31xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %8 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %8 : f32
    } -> tensor<9x31xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3, %6 : tensor<9x31xi1>, tensor<9x31xf32>, tensor<9x31xf32>) outs(%2 : tensor<9x31xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %8 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %8 : f32
    } -> tensor<9x31xf32>
    return %7 : tensor<9x31xf32>
  }
}
