// {"inputs": [{"seed": 1560785032, "shape": [2, 2], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<2x2xf32>) -> (tensor<3x4xf32>, tensor<5xi64>) {
    %cst = arith.constant dense<1.500000e+00> : tensor<3x4xf32>
    %0 = tensor.empty() : tensor<5xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %2 = linalg.index 0 : index
      %3 = arith.index_cast %2 : index to i64
      linalg.yield %3 : i64
    } -> tensor<5xi64>
    return %cst, %1 : tensor<3x4xf32>, tensor<5xi64>
  }
}
