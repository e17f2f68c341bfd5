// {"inputs": [{"seed": 1637862481, "shape": [2, 4, 32, 16], "dtype": "bfloat16", "low": null, "high": null}, {"seed": 379124935, "shape": [2, 4, 32, 16], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 20.7, "sum": 478.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<2x4x32x16xbf16>, %arg1: tensor<2x4x32x16xbf16>) -> tensor<2x4x32x32xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x16x32xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x4x32x16xbf16>) outs(%0 : tensor<2x4x16x32xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x32x16xbf16> into tensor<8x32x16xbf16>
    %collapsed_0 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x16x32xbf16> into tensor<8x16x32xbf16>
    %1 = tensor.empty() : tensor<8x32x32xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_0 : tensor<8x32x16xbf16>, tensor<8x16x32xbf16>) outs(%2 : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %4 = tensor.empty() : tensor<8x32x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<8x32x32xf32>) outs(%4 : tensor<8x32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %6 = arith.truncf %in : f32 to bf16
      linalg.yield %6 : bf16
    } -> tensor<8x32x32xbf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [2, 4, 32, 32] : tensor<8x32x32xbf16> into tensor<2x4x32x32xbf16>
    return %expanded : tensor<2x4x32x32xbf16>
  }
}
