// {"inputs": [{"seed": 1556555493, "shape": [50, 6], "dtype": "float32", "low": null, "high": null}, {"seed": 734008947, "shape": [50, 6], "dtype": "int32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<50x6xf32>, %arg1: tensor<50x6xi32>) -> (tensor<50x6xbf16>, tensor<50x6xi32>, tensor<50x6xf32>, tensor<50x6xi8>) {
    %cst = arith.constant 1.000000e+01 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<50x6xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<50x6xf32>) outs(%0 : tensor<50x6xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %10 = arith.truncf %in : f32 to bf16
      linalg.yield %10 : bf16
    } -> tensor<50x6xbf16>
    %2 = tensor.empty() : tensor<50x6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<50x6xf32>) outs(%2 : tensor<50x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.mulf %in, %cst : f32
      linalg.yield %10 : f32
    } -> tensor<50x6xf32>
    %4 = tensor.empty() : tensor<50x6xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<50x6xf32>) outs(%4 : tensor<50x6xi32>) {
    ^bb0(%in: f32, %out: i32):
      %10 = arith.fptosi %in : f32 to i32
      linalg.yield %10 : i32
    } -> tensor<50x6xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<50x6xi32>) outs(%2 : tensor<50x6xf32>) {
    ^bb0(%in: i32, %out: f32):
      %10 = arith.sitofp %in : i32 to f32
      linalg.yield %10 : f32
    } -> tensor<50x6xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<50x6xf32>) outs(%2 : tensor<50x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.mulf %in, %cst_0 : f32
      linalg.yield %10 : f32
    } -> tensor<50x6xf32>
    %8 = tensor.empty() : tensor<50x6xi8>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<50x6xi32>) outs(%8 : tensor<50x6xi8>) {
    ^bb0(%in: i32, %out: i8):
      %10 = arith.trunci %in : i32 to i8
      linalg.yield %10 : i8
    } -> tensor<50x6xi8>
    return %1, %5, %7, %9 : tensor<50x6xbf16>, tensor<50x6xi32>, tensor<50x6xf32>, tensor<50x6xi8>
  }
}
