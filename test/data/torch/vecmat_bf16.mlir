// {"inputs": [{"seed": 1910386802, "shape": [96], "dtype": "bfloat16", "low": null, "high": null}, {"seed": 114884836, "shape": [96, 64], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 28.8, "sum": 10200.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<96xbf16>, %arg1: tensor<96x64xbf16>) -> tensor<64xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [1, 96] : tensor<96xbf16> into tensor<1x96xbf16>
    %0 = tensor.empty() : tensor<1x64xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %2 = linalg.matmul ins(%expanded, %arg1 : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%1 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %3 = tensor.empty() : tensor<1x64xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<1x64xf32>) outs(%3 : tensor<1x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %5 = arith.truncf %in : f32 to bf16
      linalg.yield %5 : bf16
    } -> tensor<1x64xbf16>
    %collapsed = tensor.collapse_shape %4 [[0, 1]] : tensor<1x64xbf16> into tensor<64xbf16>
    return %collapsed : tensor<64xbf16>
  }
}
