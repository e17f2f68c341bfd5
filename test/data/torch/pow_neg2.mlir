// {"inputs": [{"seed": 870761182, "shape": [16, 16], "dtype": "float32", "low": 0.5, "high": 2}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 3.93, "sum": 0.0, "approximate": 3.93}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %c-2_i64 = arith.constant -2 : i64
    %0 = tensor.empty() : tensor<16x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<16x16xf32>) outs(%0 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.fpowi %in, %c-2_i64 : f32, i64
      linalg.yield %2 : f32
    } -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
}
