// {"inputs": [{"seed": 1279442129, "shape": [9, 9], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.94, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<9x9xf32>) -> tensor<9xf32> {
    %0 = tensor.empty() : tensor<9xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<9xf32>) {
    ^bb0(%out: f32):
      %2 = linalg.index 0 : index
      %extracted = tensor.extract %arg0[%2, %2] : tensor<9x9xf32>
      linalg.yield %extracted : f32
    } -> tensor<9xf32>
    return %1 : tensor<9xf32>
  }
}
