// {"inputs": [{"seed": 1587325707, "shape": [20, 12], "dtype": "float32", "low": null, "high": null}, {"seed": 698063773, "shape": [7], "dtype": "int64", "low": 0, "high": 20}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.98, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<20x12xf32>, %arg1: tensor<7xi64>) -> tensor<7x12xf32> {
    %0 = tensor.empty() : tensor<7x12xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<7xi64>) outs(%0 : tensor<7x12xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 1 : index
      %extracted = tensor.extract %arg0[%2, %3] : tensor<20x12xf32>
      linalg.yield %extracted : f32
    } -> tensor<7x12xf32>
    return %1 : tensor<7x12xf32>
  }
}
