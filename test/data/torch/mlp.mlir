// {"inputs": [{"seed": 910453963, "shape": [16, 32], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1790454906, "shape": [10], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 351112248, "shape": [10, 48], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w2": {"seed": 1021431655, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 1384285631, "shape": [48, 64], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w4": {"seed": 1898540652, "shape": [64], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w5": {"seed": 279413442, "shape": [64, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 1.19, "sum": 201.0, "approximate": 0.637}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<16x32xf32>) -> tensor<16x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<10xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<10x48xf32>
    %cst_2 = arith.constant dense_resource<w2> : tensor<48xf32>
    %cst_3 = arith.constant dense_resource<w3> : tensor<48x64xf32>
    %cst_4 = arith.constant dense_resource<w4> : tensor<64xf32>
    %cst_5 = arith.constant dense_resource<w5> : tensor<64x32xf32>
    %0 = tensor.empty() : tensor<32x64xf32>
    %transposed = linalg.transpose ins(%cst_5 : tensor<64x32xf32>) outs(%0 : tensor<32x64xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<16x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<16x32xf32>, tensor<32x64xf32>) outs(%2 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_4 : tensor<16x64xf32>, tensor<64xf32>) outs(%1 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %17 = arith.addf %in, %in_8 : f32
      linalg.yield %17 : f32
    } -> tensor<16x64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<16x64xf32>) outs(%1 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.cmpf ugt, %in, %cst : f32
      %18 = arith.select %17, %in, %cst : f32
      linalg.yield %18 : f32
    } -> tensor<16x64xf32>
    %6 = tensor.empty() : tensor<64x48xf32>
    %transposed_6 = linalg.transpose ins(%cst_3 : tensor<48x64xf32>) outs(%6 : tensor<64x48xf32>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<16x48xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %9 = linalg.matmul ins(%5, %transposed_6 : tensor<16x64xf32>, tensor<64x48xf32>) outs(%8 : tensor<16x48xf32>) -> tensor<16x48xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %cst_2 : tensor<16x48xf32>, tensor<48xf32>) outs(%7 : tensor<16x48xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %17 = arith.addf %in, %in_8 : f32
      linalg.yield %17 : f32
    } -> tensor<16x48xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<16x48xf32>) outs(%7 : tensor<16x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = math.tanh %in : f32
      linalg.yield %17 : f32
    } -> tensor<16x48xf32>
    %12 = tensor.empty() : tensor<48x10xf32>
    %transposed_7 = linalg.transpose ins(%cst_1 : tensor<10x48xf32>) outs(%12 : tensor<48x10xf32>) permutation = [1, 0] 
    %13 = tensor.empty() : tensor<16x10xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<16x10xf32>) -> tensor<16x10xf32>
    %15 = linalg.matmul ins(%11, %transposed_7 : tensor<16x48xf32>, tensor<48x10xf32>) outs(%14 : tensor<16x10xf32>) -> tensor<16x10xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %cst_0 : tensor<16x10xf32>, tensor<10xf32>) outs(%13 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %17 = arith.addf %in, %in_8 : f32
      linalg.yield %17 : f32
    } -> tensor<16x10xf32>
    return %16 : tensor<16x10xf32>
  }
}

