// {"inputs": [{"seed": 766625785, "shape": [2, 6, 24], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1348358296, "shape": [6], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 555129511, "shape": [6, 3], "dtype": "float32", "kind": "weight", "scale": 0.5}, "w2": {"seed": 1456087606, "shape": [3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 798596420, "shape": [3, 6], "dtype": "float32", "kind": "weight", "scale": 0.5}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.36, "sum": 6.15, "approximate": 1.14}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<2x6x24xf32>) -> tensor<2x6x24xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<w0> : tensor<6xf32>
    %cst_2 = arith.constant dense_resource<w1> : tensor<6x3xf32>
    %cst_3 = arith.constant dense_resource<w2> : tensor<3xf32>
    %cst_4 = arith.constant dense_resource<w3> : tensor<3x6xf32>
    %cst_5 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x6x24xf32>) outs(%1 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.divf %in, %cst_5 : f32
      linalg.yield %16 : f32
    } -> tensor<2x6xf32>
    %4 = tensor.empty() : tensor<6x3xf32>
    %transposed = linalg.transpose ins(%cst_4 : tensor<3x6xf32>) outs(%4 : tensor<6x3xf32>) permutation = [1, 0] 
    %5 = tensor.empty() : tensor<2x3xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %7 = linalg.matmul ins(%3, %transposed : tensor<2x6xf32>, tensor<6x3xf32>) outs(%6 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%7, %cst_3 : tensor<2x3xf32>, tensor<3xf32>) outs(%5 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %16 = arith.addf %in, %in_7 : f32
      linalg.yield %16 : f32
    } -> tensor<2x3xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<2x3xf32>) outs(%5 : tensor<2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.cmpf ugt, %in, %cst : f32
      %17 = arith.select %16, %in, %cst : f32
      linalg.yield %17 : f32
    } -> tensor<2x3xf32>
    %10 = tensor.empty() : tensor<3x6xf32>
    %transposed_6 = linalg.transpose ins(%cst_2 : tensor<6x3xf32>) outs(%10 : tensor<3x6xf32>) permutation = [1, 0] 
    %11 = linalg.matmul ins(%9, %transposed_6 : tensor<2x3xf32>, tensor<3x6xf32>) outs(%1 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_1 : tensor<2x6xf32>, tensor<6xf32>) outs(%0 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %16 = arith.addf %in, %in_7 : f32
      linalg.yield %16 : f32
    } -> tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.negf %in : f32
      %17 = math.exp %16 : f32
      %18 = arith.addf %17, %cst_0 : f32
      %19 = arith.divf %cst_0, %18 : f32
      linalg.yield %19 : f32
    } -> tensor<2x6xf32>
    %expanded = tensor.expand_shape %13 [[0], [1, 2]] output_shape [2, 6, 1] : tensor<2x6xf32> into tensor<2x6x1xf32>
    %14 = tensor.empty() : tensor<2x6x24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<2x6x24xf32>, tensor<2x6x1xf32>) outs(%14 : tensor<2x6x24xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %16 = arith.mulf %in, %in_7 : f32
      linalg.yield %16 : f32
    } -> tensor<2x6x24xf32>
    return %15 : tensor<2x6x24xf32>
  }
}

