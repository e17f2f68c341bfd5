// {"inputs": [{"seed": 1709263559, "shape": [1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 317094481, "shape": [2, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 200223723, "shape": [3, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 2095586173, "shape": [1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 1653378782, "shape": [2, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 361479752, "shape": [3, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 209907698, "shape": [1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 2072371044, "shape": [2, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 1799013109, "shape": [3, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 473821795, "shape": [1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 1747277881, "shape": [2, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 522348719, "shape": [3, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 103495957, "shape": [1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 1898711427, "shape": [2, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 1867029536, "shape": [3, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 407874742, "shape": [1, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 21429516, "shape": [2, 8], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.99, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<1x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<3x8xf32>, %arg3: tensor<1x8xf32>, %arg4: tensor<2x8xf32>, %arg5: tensor<3x8xf32>, %arg6: tensor<1x8xf32>, %arg7: tensor<2x8xf32>, %arg8: tensor<3x8xf32>, %arg9: tensor<1x8xf32>, %arg10: tensor<2x8xf32>, %arg11: tensor<3x8xf32>, %arg12: tensor<1x8xf32>, %arg13: tensor<2x8xf32>, %arg14: tensor<3x8xf32>, %arg15: tensor<1x8xf32>, %arg16: tensor<2x8xf32>) -> tensor<33x8xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<1x8xf32>) outs(%0 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x8xf32>
    %2 = tensor.empty() : tensor<2x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<2x8xf32>
    %4 = tensor.empty() : tensor<3x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<3x8xf32>) outs(%4 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<3x8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<1x8xf32>) outs(%0 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<2x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<3x8xf32>) outs(%4 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<3x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<1x8xf32>) outs(%0 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x8xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<3x8xf32>) outs(%4 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<3x8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<1x8xf32>) outs(%0 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<2x8xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<3x8xf32>) outs(%4 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<3x8xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg12 : tensor<1x8xf32>) outs(%0 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x8xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<2x8xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<3x8xf32>) outs(%4 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<3x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg15 : tensor<1x8xf32>) outs(%0 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<1x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<2x8xf32>) outs(%2 : tensor<2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.mulf %in, %cst : f32
      linalg.yield %20 : f32
    } -> tensor<2x8xf32>
    %concat = tensor.concat dim(0) %1, %3, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19 : (tensor<1x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>, tensor<1x8xf32>, tensor<2x8xf32>) -> tensor<33x8xf32>
    return %concat : tensor<33x8xf32>
  }
}
