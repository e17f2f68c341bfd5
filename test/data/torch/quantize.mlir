// {"inputs": [{"seed": 2100792526, "shape": [30, 8], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<30x8xf32>) -> tensor<30x8xi8> {
    %cst = arith.constant 4.000000e+01 : f32
    %cst_0 = arith.constant 3.000000e+00 : f32
    %cst_1 = arith.constant -1.280000e+02 : f32
    %cst_2 = arith.constant 1.270000e+02 : f32
    %0 = tensor.empty() : tensor<30x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<30x8xf32>) outs(%0 : tensor<30x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.mulf %in, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<30x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<30x8xf32>) outs(%0 : tensor<30x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = math.roundeven %in : f32
      linalg.yield %7 : f32
    } -> tensor<30x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<30x8xf32>) outs(%0 : tensor<30x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %in, %cst_0 : f32
      linalg.yield %7 : f32
    } -> tensor<30x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<30x8xf32>) outs(%0 : tensor<30x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.cmpf ult, %in, %cst_1 : f32
      %8 = arith.select %7, %cst_1, %in : f32
      %9 = arith.cmpf ugt, %8, %cst_2 : f32
      %10 = arith.select %9, %cst_2, %8 : f32
      linalg.yield %10 : f32
    } -> tensor<30x8xf32>
    %5 = tensor.empty() : tensor<30x8xi8>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<30x8xf32>) outs(%5 : tensor<30x8xi8>) {
    ^bb0(%in: f32, %out: i8):
      %7 = arith.fptosi %in : f32 to i8
      linalg.yield %7 : i8
    } -> tensor<30x8xi8>
    return %6 : tensor<30x8xi8>
  }
}
