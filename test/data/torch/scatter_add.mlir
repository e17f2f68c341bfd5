// {"inputs": [{"seed": 1629001368, "shape": [4, 5], "dtype": "float32", "low": null, "high": null}, {"seed": 371172878, "shape": [3, 5], "dtype": "int64", "low": 0, "high": 4}, {"seed": 253163444, "shape": [3, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.26, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0, 0)>
#map1 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<4x5xf32>, %arg1: tensor<3x5xi64>, %arg2: tensor<3x5xf32>) -> tensor<4x5xf32> {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<15x1xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<15x1xi64>) -> tensor<15x1xi64>
    %2 = tensor.empty() : tensor<15xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<15xf32>) -> tensor<15xf32>
    %4:3 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel"]} outs(%1, %1, %3 : tensor<15x1xi64>, tensor<15x1xi64>, tensor<15xf32>) {
    ^bb0(%out: i64, %out_1: i64, %out_2: f32):
      %8 = linalg.index 0 : index
      %9 = arith.remsi %8, %c5 : index
      %10 = arith.divsi %8, %c5 : index
      %11 = arith.remsi %10, %c3 : index
      %extracted = tensor.extract %arg1[%11, %9] : tensor<3x5xi64>
      %extracted_3 = tensor.extract %arg2[%11, %9] : tensor<3x5xf32>
      %12 = arith.index_cast %9 : index to i64
      linalg.yield %extracted, %12, %extracted_3 : i64, i64, f32
    } -> (tensor<15x1xi64>, tensor<15x1xi64>, tensor<15xf32>)
    %5 = tensor.empty() : tensor<15x2xi64>
    %6 = linalg.fill ins(%c0_i64 : i64) outs(%5 : tensor<15x2xi64>) -> tensor<15x2xi64>
    %inserted_slice = tensor.insert_slice %4#0 into %6[0, 0] [15, 1] [1, 1] : tensor<15x1xi64> into tensor<15x2xi64>
    %inserted_slice_0 = tensor.insert_slice %4#1 into %inserted_slice[0, 1] [15, 1] [1, 1] : tensor<15x1xi64> into tensor<15x2xi64>
    %7 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%4#2, %inserted_slice_0 : tensor<15xf32>, tensor<15x2xi64>) outs(%arg0 : tensor<4x5xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %8 = arith.addf %arg4, %arg3 : f32
      tm_tensor.yield %8 : f32
    } -> tensor<4x5xf32>
    return %7 : tensor<4x5xf32>
  }
}
