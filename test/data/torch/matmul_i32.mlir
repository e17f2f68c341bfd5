// {"inputs": [{"seed": 1041553771, "shape": [16, 24], "dtype": "int32", "low": null, "high": null}, {"seed": 1226041853, "shape": [24, 20], "dtype": "int32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<16x24xi32>, %arg1: tensor<24x20xi32>) -> tensor<16x20xi32> {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<16x20xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<16x20xi64>) -> tensor<16x20xi64>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xi32>, tensor<24x20xi32>) outs(%1 : tensor<16x20xi64>) -> tensor<16x20xi64>
    %3 = tensor.empty() : tensor<16x20xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<16x20xi64>) outs(%3 : tensor<16x20xi32>) {
    ^bb0(%in: i64, %out: i32):
      %5 = arith.trunci %in : i64 to i32
      linalg.yield %5 : i32
    } -> tensor<16x20xi32>
    return %4 : tensor<16x20xi32>
  }
}
