// {"inputs": [{"seed": 2135871781, "shape": [20, 64], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1533577289, "shape": [40], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 826130217, "shape": [40, 64], "dtype": "float32", "kind": "weight", "scale": 0.125}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.24, "sum": 383.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<20x64xf32>) -> tensor<20x40xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<40xf32>
    %cst_1 = arith.constant dense_resource<w1> : tensor<40x64xf32>
    %0 = tensor.empty() : tensor<64x40xf32>
    %transposed = linalg.transpose ins(%cst_1 : tensor<40x64xf32>) outs(%0 : tensor<64x40xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<20x40xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<20x40xf32>) -> tensor<20x40xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<20x64xf32>, tensor<64x40xf32>) outs(%2 : tensor<20x40xf32>) -> tensor<20x40xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_0 : tensor<20x40xf32>, tensor<40xf32>) outs(%1 : tensor<20x40xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %5 = arith.addf %in, %in_2 : f32
      linalg.yield %5 : f32
    } -> tensor<20x40xf32>
    return %4 : tensor<20x40xf32>
  }
}

