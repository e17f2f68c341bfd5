// {"inputs": [{"seed": 1727263693, "shape": [12, 12], "dtype": "int32", "low": null, "high": null}, {"seed": 301253467, "shape": [12, 12], "dtype": "int32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<12x12xi32>, %arg1: tensor<12x12xi32>) -> (tensor<12x12xi32>, tensor<12x12xi32>) {
    %c15_i32 = arith.constant 15 : i32
    %0 = tensor.empty() : tensor<12x12xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<12x12xi32>, tensor<12x12xi32>) outs(%0 : tensor<12x12xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %5 = arith.andi %in, %in_0 : i32
      linalg.yield %5 : i32
    } -> tensor<12x12xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<12x12xi32>, tensor<12x12xi32>) outs(%0 : tensor<12x12xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %5 = arith.xori %in, %in_0 : i32
      linalg.yield %5 : i32
    } -> tensor<12x12xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<12x12xi32>, tensor<12x12xi32>) outs(%0 : tensor<12x12xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %5 = arith.ori %in, %in_0 : i32
      linalg.yield %5 : i32
    } -> tensor<12x12xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<12x12xi32>) outs(%0 : tensor<12x12xi32>) {
    ^bb0(%in: i32, %out: i32):
      %5 = arith.andi %in, %c15_i32 : i32
      linalg.yield %5 : i32
    } -> tensor<12x12xi32>
    return %3, %4 : tensor<12x12xi32>, tensor<12x12xi32>
  }
}
