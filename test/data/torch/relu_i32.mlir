// {"inputs": [{"seed": 647524910, "shape": [7, 9], "dtype": "int32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<7x9xi32>) -> tensor<7x9xi32> {
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<7x9xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<7x9xi32>) outs(%0 : tensor<7x9xi32>) {
    ^bb0(%in: i32, %out: i32):
      %2 = arith.maxsi %in, %c0_i32 : i32
      linalg.yield %2 : i32
    } -> tensor<7x9xi32>
    return %1 : tensor<7x9xi32>
  }
}
