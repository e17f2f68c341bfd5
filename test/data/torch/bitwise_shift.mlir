// {"inputs": [{"seed": 1293907997, "shape": [5, 31], "dtype": "int32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x31xi32>) -> (tensor<5x31xi32>, tensor<5x31xi32>) {
    %c-1_i32 = arith.constant -1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tensor.empty() : tensor<5x31xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x31xi32>) outs(%0 : tensor<5x31xi32>) {
    ^bb0(%in: i32, %out: i32):
      %5 = arith.xori %in, %c-1_i32 : i32
      linalg.yield %5 : i32
    } -> tensor<5x31xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x31xi32>) outs(%0 : tensor<5x31xi32>) {
    ^bb0(%in: i32, %out: i32):
      %5 = arith.shli %in, %c3_i32 : i32
      linalg.yield %5 : i32
    } -> tensor<5x31xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<5x31xi32>, tensor<5x31xi32>) outs(%0 : tensor<5x31xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %5 = arith.xori %in, %in_0 : i32
      linalg.yield %5 : i32
    } -> tensor<5x31xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x31xi32>) outs(%0 : tensor<5x31xi32>) {
    ^bb0(%in: i32, %out: i32):
      %5 = arith.shrsi %in, %c2_i32 : i32
      linalg.yield %5 : i32
    } -> tensor<5x31xi32>
    return %3, %4 : tensor<5x31xi32>, tensor<5x31xi32>
  }
}
