// {"inputs": [{"seed": 1470531364, "shape": [10, 64], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 6.78, "sum": 0.0, "approximate": 3.39}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<10x64xf32>) -> tensor<10x32xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [10, 32] [1, 1] : tensor<10x64xf32> to tensor<10x32xf32>
    %0 = tensor.empty() : tensor<10x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<10x32xf32>) outs(%0 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      %5 = math.exp %4 : f32
      %6 = arith.addf %5, %cst : f32
      %7 = arith.divf %cst, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<10x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %1 : tensor<10x32xf32>, tensor<10x32xf32>) outs(%0 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %4 = arith.mulf %in, %in_1 : f32
      linalg.yield %4 : f32
    } -> tensor<10x32xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 32] [10, 32] [1, 1] : tensor<10x64xf32> to tensor<10x32xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %extracted_slice_0 : tensor<10x32xf32>, tensor<10x32xf32>) outs(%0 : tensor<10x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %4 = arith.mulf %in, %in_1 : f32
      linalg.yield %4 : f32
    } -> tensor<10x32xf32>
    return %3 : tensor<10x32xf32>
  }
}
