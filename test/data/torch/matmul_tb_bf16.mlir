// {"inputs": [{"seed": 1454849530, "shape": [32, 64], "dtype": "bfloat16", "low": null, "high": null}, {"seed": 565185900, "shape": [48, 64], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 37.8, "sum": 5920.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<32x64xbf16>, %arg1: tensor<48x64xbf16>) -> tensor<32x48xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x48xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<48x64xbf16>) outs(%0 : tensor<64x48xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<32x48xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%2 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %4 = tensor.empty() : tensor<32x48xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<32x48xf32>) outs(%4 : tensor<32x48xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %6 = arith.truncf %in : f32 to bf16
      linalg.yield %6 : bf16
    } -> tensor<32x48xbf16>
    return %5 : tensor<32x48xbf16>
  }
}
