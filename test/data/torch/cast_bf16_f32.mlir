// {"inputs": [{"seed": 1020754006, "shape": [50, 6], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<50x6xbf16>) -> tensor<50x6xf32> {
    %0 = tensor.empty() : tensor<50x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<50x6xbf16>) outs(%0 : tensor<50x6xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %2 = arith.extf %in : bf16 to f32
      linalg.yield %2 : f32
    } -> tensor<50x6xf32>
    return %1 : tensor<50x6xf32>
  }
}
