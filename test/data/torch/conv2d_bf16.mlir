// {"inputs": [{"seed": 293582426, "shape": [1, 8, 10, 10], "dtype": "bfloat16", "low": null, "high": null}], "weights": {"w0": {"seed": 152720968, "shape": [16, 8, 3, 3], "dtype": "bfloat16", "kind": "weight", "scale": 0.125}, "w1": {"seed": 2141674128, "shape": [16], "dtype": "bfloat16", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.52, "sum": 467.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x8x10x10xbf16>) -> tensor<1x16x10x10xbf16> {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant dense_resource<w0> : tensor<16x8x3x3xbf16>
    %cst_1 = arith.constant dense_resource<w1> : tensor<16xbf16>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : bf16
    } : tensor<1x8x10x10xbf16> to tensor<1x8x12x12xbf16>
    %0 = tensor.empty() : tensor<1x16x10x10xf32>
    %1 = tensor.empty() : tensor<16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_1 : tensor<16xbf16>) outs(%1 : tensor<16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %6 = arith.extf %in : bf16 to f32
      linalg.yield %6 : f32
    } -> tensor<16xf32>
    %broadcasted = linalg.broadcast ins(%2 : tensor<16xf32>) outs(%0 : tensor<1x16x10x10xf32>) dimensions = [0, 2, 3] 
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_0 : tensor<1x8x12x12xbf16>, tensor<16x8x3x3xbf16>) outs(%broadcasted : tensor<1x16x10x10xf32>) -> tensor<1x16x10x10xf32>
    %4 = tensor.empty() : tensor<1x16x10x10xbf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x16x10x10xf32>) outs(%4 : tensor<1x16x10x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %6 = arith.truncf %in : f32 to bf16
      linalg.yield %6 : bf16
    } -> tensor<1x16x10x10xbf16>
    return %5 : tensor<1x16x10x10xbf16>
  }
}

