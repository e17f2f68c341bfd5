// {"inputs": [{"seed": 320289100, "shape": [12, 64], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "bfloat16", "reactions": [{"round": 0.357, "sum": 69.1, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<12x64xbf16>) -> tensor<12xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 6.400000e+01 : bf16
    %0 = tensor.empty() : tensor<12xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<12xbf16>) -> tensor<12xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<12x64xbf16>) outs(%1 : tensor<12xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %4 = arith.addf %in, %out : bf16
      linalg.yield %4 : bf16
    } -> tensor<12xbf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%2 : tensor<12xbf16>) outs(%0 : tensor<12xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %4 = arith.divf %in, %cst_0 : bf16
      linalg.yield %4 : bf16
    } -> tensor<12xbf16>
    return %3 : tensor<12xbf16>
  }
}
