// {"inputs": [{"seed": 2122826603, "shape": [64, 128], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %0 = tensor.empty() : tensor<64x128xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x128xbf16>) outs(%0 : tensor<64x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %2 = arith.cmpf ugt, %in, %cst : bf16
      %3 = arith.select %2, %in, %cst : bf16
      linalg.yield %3 : bf16
    } -> tensor<64x128xbf16>
    return %1 : tensor<64x128xbf16>
  }
}
