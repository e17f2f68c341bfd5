// {"inputs": [{"seed": 1688254843, "shape": [32, 64], "dtype": "bfloat16", "low": null, "high": null}], "weights": {"w0": {"seed": 1474078008, "shape": [64], "dtype": "bfloat16", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1120282463, "shape": [64, 64], "dtype": "bfloat16", "kind": "weight", "scale": 0.125}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.15, "sum": 368.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<32x64xbf16>) -> tensor<32x64xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<64xbf16>
    %cst_1 = arith.constant dense_resource<w1> : tensor<64x64xbf16>
    %0 = tensor.empty() : tensor<64x64xbf16>
    %transposed = linalg.transpose ins(%cst_1 : tensor<64x64xbf16>) outs(%0 : tensor<64x64xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_0 : tensor<64xbf16>) outs(%1 : tensor<64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %12 = arith.extf %in : bf16 to f32
      linalg.yield %12 : f32
    } -> tensor<64xf32>
    %3 = tensor.empty() : tensor<32x64xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<32x64xbf16>) outs(%3 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %12 = arith.extf %in : bf16 to f32
      linalg.yield %12 : f32
    } -> tensor<32x64xf32>
    %5 = tensor.empty() : tensor<64x64xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x64xbf16>) outs(%5 : tensor<64x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %12 = arith.extf %in : bf16 to f32
      linalg.yield %12 : f32
    } -> tensor<64x64xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%3 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %8 = linalg.matmul ins(%4, %6 : tensor<32x64xf32>, tensor<64x64xf32>) outs(%7 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %2 : tensor<32x64xf32>, tensor<64xf32>) outs(%3 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %12 = arith.addf %in, %in_2 : f32
      linalg.yield %12 : f32
    } -> tensor<32x64xf32>
    %10 = tensor.empty() : tensor<32x64xbf16>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<32x64xf32>) outs(%10 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %12 = arith.truncf %in : f32 to bf16
      linalg.yield %12 : bf16
    } -> tensor<32x64xbf16>
    return %11 : tensor<32x64xbf16>
  }
}

