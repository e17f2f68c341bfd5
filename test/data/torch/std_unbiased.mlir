// {"inputs": [{"seed": 2146572072, "shape": [9, 40], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.22, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<9x40xf32>) -> tensor<9xf32> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 3.900000e+01 : f64
    %cst_1 = arith.constant 4.000000e+01 : f64
    %0 = tensor.empty() : tensor<9x40xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<9x40xf32>) outs(%0 : tensor<9x40xf64>) {
    ^bb0(%in: f32, %out: f64):
      %15 = arith.extf %in : f32 to f64
      linalg.yield %15 : f64
    } -> tensor<9x40xf64>
    %2 = tensor.empty() : tensor<9x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<9x1xf64>) -> tensor<9x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<9x40xf64>) outs(%3 : tensor<9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.addf %in, %out : f64
      linalg.yield %15 : f64
    } -> tensor<9x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<9x1xf64>) outs(%2 : tensor<9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.divf %in, %cst_1 : f64
      linalg.yield %15 : f64
    } -> tensor<9x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %5 : tensor<9x40xf64>, tensor<9x1xf64>) outs(%0 : tensor<9x40xf64>) {
    ^bb0(%in: f64, %in_2: f64, %out: f64):
      %15 = arith.subf %in, %in_2 : f64
      linalg.yield %15 : f64
    } -> tensor<9x40xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<9x40xf64>, tensor<9x40xf64>) outs(%0 : tensor<9x40xf64>) {
    ^bb0(%in: f64, %in_2: f64, %out: f64):
      %15 = arith.mulf %in, %in_2 : f64
      linalg.yield %15 : f64
    } -> tensor<9x40xf64>
    %8 = tensor.empty() : tensor<9xf64>
    %9 = linalg.fill ins(%cst : f64) outs(%8 : tensor<9xf64>) -> tensor<9xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<9x40xf64>) outs(%9 : tensor<9xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.addf %in, %out : f64
      linalg.yield %15 : f64
    } -> tensor<9xf64>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%10 : tensor<9xf64>) outs(%8 : tensor<9xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.divf %in, %cst_0 : f64
      linalg.yield %15 : f64
    } -> tensor<9xf64>
    %12 = tensor.empty() : tensor<9xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%11 : tensor<9xf64>) outs(%12 : tensor<9xf32>) {
    ^bb0(%in: f64, %out: f32):
      %15 = arith.truncf %in : f64 to f32
      linalg.yield %15 : f32
    } -> tensor<9xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%13 : tensor<9xf32>) outs(%12 : tensor<9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.sqrt %in : f32
      linalg.yield %15 : f32
    } -> tensor<9xf32>
    return %14 : tensor<9xf32>
  }
}
