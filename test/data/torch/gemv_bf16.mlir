// {"inputs": [{"seed": 953333826, "shape": [1, 96], "dtype": "bfloat16", "low": null, "high": null}, {"seed": 1339394260, "shape": [96, 40], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 33.1, "sum": 10900.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<1x96xbf16>, %arg1: tensor<96x40xbf16>) -> tensor<1x40xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x40xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x40xf32>) -> tensor<1x40xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<1x96xbf16>, tensor<96x40xbf16>) outs(%1 : tensor<1x40xf32>) -> tensor<1x40xf32>
    %3 = tensor.empty() : tensor<1x40xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<1x40xf32>) outs(%3 : tensor<1x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %5 = arith.truncf %in : f32 to bf16
      linalg.yield %5 : bf16
    } -> tensor<1x40xbf16>
    return %4 : tensor<1x40xbf16>
  }
}
