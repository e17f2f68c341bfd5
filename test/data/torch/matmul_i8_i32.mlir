// {"inputs": [{"seed": 295838848, "shape": [32, 64], "dtype": "int8", "low": null, "high": null}, {"seed": 1722094614, "shape": [64, 32], "dtype": "int8", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<32x64xi8>, %arg1: tensor<64x32xi8>) -> tensor<32x32xi32> {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<32x64xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<32x64xi8>) outs(%0 : tensor<32x64xi32>) {
    ^bb0(%in: i8, %out: i32):
      %9 = arith.extsi %in : i8 to i32
      linalg.yield %9 : i32
    } -> tensor<32x64xi32>
    %2 = tensor.empty() : tensor<64x32xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<64x32xi8>) outs(%2 : tensor<64x32xi32>) {
    ^bb0(%in: i8, %out: i32):
      %9 = arith.extsi %in : i8 to i32
      linalg.yield %9 : i32
    } -> tensor<64x32xi32>
    %4 = tensor.empty() : tensor<32x32xi64>
    %5 = linalg.fill ins(%c0_i64 : i64) outs(%4 : tensor<32x32xi64>) -> tensor<32x32xi64>
    %6 = linalg.matmul ins(%1, %3 : tensor<32x64xi32>, tensor<64x32xi32>) outs(%5 : tensor<32x32xi64>) -> tensor<32x32xi64>
    %7 = tensor.empty() : tensor<32x32xi32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<32x32xi64>) outs(%7 : tensor<32x32xi32>) {
    ^bb0(%in: i64, %out: i32):
      %9 = arith.trunci %in : i64 to i32
      linalg.yield %9 : i32
    } -> tensor<32x32xi32>
    return %8 : tensor<32x32xi32>
  }
}
