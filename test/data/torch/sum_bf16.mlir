// {"inputs": [{"seed": 1430904536, "shape": [32, 128], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "bfloat16", "reactions": [{"round": 33.3, "sum": 17900.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<32x128xbf16>) -> tensor<32xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = tensor.empty() : tensor<32xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<32xbf16>) -> tensor<32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<32x128xbf16>) outs(%1 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %3 = arith.addf %in, %out : bf16
      linalg.yield %3 : bf16
    } -> tensor<32xbf16>
    return %2 : tensor<32xbf16>
  }
}
