// {"inputs": [{"seed": 1278210727, "shape": [5, 13], "dtype": "bfloat16", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.83, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x13xbf16>) -> tensor<4x5xbf16> {
    %cst = arith.constant 2.000000e+00 : bf16
    %extracted_slice = tensor.extract_slice %arg0[1, 0] [4, 13] [1, 1] : tensor<5x13xbf16> to tensor<4x13xbf16>
    %extracted_slice_0 = tensor.extract_slice %extracted_slice[0, 0] [4, 5] [1, 3] : tensor<4x13xbf16> to tensor<4x5xbf16>
    %0 = tensor.empty() : tensor<4x5xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_0 : tensor<4x5xbf16>) outs(%0 : tensor<4x5xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %2 = arith.mulf %in, %cst : bf16
      linalg.yield %2 : bf16
    } -> tensor<4x5xbf16>
    return %1 : tensor<4x5xbf16>
  }
}
