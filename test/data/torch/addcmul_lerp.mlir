// {"inputs": [{"seed": 793975412, "shape": [6, 10], "dtype": "float32", "low": null, "high": null}, {"seed": 1481911010, "shape": [6, 10], "dtype": "float32", "low": null, "high": null}, {"seed": 1096645464, "shape": [6, 10], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.03, "sum": 0.0, "approximate": 0.0}, {"round": 1.86, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<6x10xf32>, %arg1: tensor<6x10xf32>, %arg2: tensor<6x10xf32>) -> (tensor<6x10xf32>, tensor<6x10xf32>) {
    %cst = arith.constant dense<-7.500000e-01> : tensor<f32>
    %cst_0 = arith.constant dense<2.500000e-01> : tensor<f32>
    %cst_1 = arith.constant 5.000000e-01 : f64
    %cst_2 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<6x10xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.mulf %in, %cst_2 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg2 : tensor<6x10xf32>, tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %13 = arith.mulf %in, %in_3 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %2 : tensor<6x10xf32>, tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %13 = arith.addf %in, %in_3 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    %4 = tensor.empty() : tensor<f32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = []} ins(%cst_0 : tensor<f32>) outs(%4 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = math.absf %in : f32
      linalg.yield %13 : f32
    } -> tensor<f32>
    %6 = tensor.empty() : tensor<i1>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = []} ins(%5 : tensor<f32>) outs(%6 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %13 = arith.extf %in : f32 to f64
      %14 = arith.cmpf oge, %13, %cst_1 : f64
      linalg.yield %14 : i1
    } -> tensor<i1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = []} ins(%7, %cst, %cst_0 : tensor<i1>, tensor<f32>, tensor<f32>) outs(%4 : tensor<f32>) {
    ^bb0(%in: i1, %in_3: f32, %in_4: f32, %out: f32):
      %13 = arith.select %in, %in_3, %in_4 : f32
      linalg.yield %13 : f32
    } -> tensor<f32>
    %9 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg1, %arg0 : tensor<i1>, tensor<6x10xf32>, tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: i1, %in_3: f32, %in_4: f32, %out: f32):
      %13 = arith.select %in, %in_3, %in_4 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg0 : tensor<6x10xf32>, tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %13 = arith.subf %in, %in_3 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %10 : tensor<f32>, tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %13 = arith.mulf %in, %in_3 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %9 : tensor<6x10xf32>, tensor<6x10xf32>) outs(%0 : tensor<6x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %13 = arith.addf %in, %in_3 : f32
      linalg.yield %13 : f32
    } -> tensor<6x10xf32>
    return %3, %12 : tensor<6x10xf32>, tensor<6x10xf32>
  }
}
