// {"inputs": [{"seed": 1452385582, "shape": [1, 256], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.963, "sum": 0.0, "approximate": 0.963}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<1x256xbf16>) -> tensor<1x256xbf16> {
    %0 = tensor.empty() : tensor<1x256xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<1x256xbf16>) outs(%0 : tensor<1x256xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %2 = math.tanh %in : bf16
      linalg.yield %2 : bf16
    } -> tensor<1x256xbf16>
    return %1 : tensor<1x256xbf16>
  }
}
