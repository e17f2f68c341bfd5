// {"inputs": [{"seed": 722827474, "shape": [64, 48], "dtype": "bfloat16", "low": null, "high": null}, {"seed": 1544702020, "shape": [48], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.78, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<64x48xbf16>, %arg1: tensor<48xbf16>) -> tensor<64x48xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = tensor.empty() : tensor<64x48xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<64x48xbf16>, tensor<48xbf16>) outs(%0 : tensor<64x48xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %3 = arith.addf %in, %in_0 : bf16
      linalg.yield %3 : bf16
    } -> tensor<64x48xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<64x48xbf16>) outs(%0 : tensor<64x48xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %3 = arith.cmpf ugt, %in, %cst : bf16
      %4 = arith.select %3, %in, %cst : bf16
      linalg.yield %4 : bf16
    } -> tensor<64x48xbf16>
    return %2 : tensor<64x48xbf16>
  }
}
