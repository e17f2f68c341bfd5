// {"inputs": [{"seed": 1166182355, "shape": [64, 3], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 7.86, "sum": 0.0, "approximate": 7.86}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<64x3xf32>) -> tensor<64x3xf32> {
    %c3_i64 = arith.constant 3 : i64
    %0 = tensor.empty() : tensor<64x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x3xf32>) outs(%0 : tensor<64x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %2 : f32
    } -> tensor<64x3xf32>
    return %1 : tensor<64x3xf32>
  }
}
