// {"inputs": [{"seed": 1275678893, "shape": [32, 32], "dtype": "float32", "low": null, "high": null}, {"seed": 990797883, "shape": [32, 48], "dtype": "float32", "low": null, "high": null}, {"seed": 570896769, "shape": [48], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 82.4, "sum": 1630.0, "approximate": 27.5}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<32x32xf32>, %arg1: tensor<32x48xf32>, %arg2: tensor<48xf32>) -> tensor<32x48xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<32x48xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<32x32xf32>, tensor<32x48xf32>) outs(%1 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<32x48xf32>, tensor<48xf32>) outs(%0 : tensor<32x48xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %5 = arith.addf %in, %in_3 : f32
      linalg.yield %5 : f32
    } -> tensor<32x48xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<32x48xf32>) outs(%0 : tensor<32x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.divf %in, %cst_2 : f32
      %6 = math.erf %5 : f32
      %7 = arith.addf %6, %cst_0 : f32
      %8 = arith.mulf %7, %cst_1 : f32
      %9 = arith.mulf %in, %8 : f32
      linalg.yield %9 : f32
    } -> tensor<32x48xf32>
    return %4 : tensor<32x48xf32>
  }
}
