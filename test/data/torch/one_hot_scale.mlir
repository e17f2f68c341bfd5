// {"inputs": [{"seed": 1278806077, "shape": [8, 4], "dtype": "float32", "low": null, "high": null}, {"seed": 993933483, "shape": [8], "dtype": "int64", "low": 0, "high": 5}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.83, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8xi64>) -> tensor<8x5xf32> {
    %0 = tensor.empty() : tensor<5xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %9 = linalg.index 0 : index
      %10 = arith.index_cast %9 : index to i64
      linalg.yield %10 : i64
    } -> tensor<5xi64>
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %2 = tensor.empty() : tensor<8x5xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %1 : tensor<8x1xi64>, tensor<5xi64>) outs(%2 : tensor<8x5xi1>) {
    ^bb0(%in: i64, %in_0: i64, %out: i1):
      %9 = arith.cmpi eq, %in, %in_0 : i64
      linalg.yield %9 : i1
    } -> tensor<8x5xi1>
    %4 = tensor.empty() : tensor<8x5xi64>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x5xi1>) outs(%4 : tensor<8x5xi64>) {
    ^bb0(%in: i1, %out: i64):
      %9 = arith.extui %in : i1 to i64
      linalg.yield %9 : i64
    } -> tensor<8x5xi64>
    %6 = tensor.empty() : tensor<8x5xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<8x5xi64>) outs(%6 : tensor<8x5xf32>) {
    ^bb0(%in: i64, %out: f32):
      %9 = arith.sitofp %in : i64 to f32
      linalg.yield %9 : f32
    } -> tensor<8x5xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8x1xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%7, %extracted_slice : tensor<8x5xf32>, tensor<8x1xf32>) outs(%6 : tensor<8x5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %9 = arith.mulf %in, %in_0 : f32
      linalg.yield %9 : f32
    } -> tensor<8x5xf32>
    return %8 : tensor<8x5xf32>
  }
}
