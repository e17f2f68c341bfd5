// {"inputs": [{"seed": 921719752, "shape": [6, 9], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<6x9xf32>) -> tensor<6x4xf32> {
    %extracted_slice = tensor.extract_slice %arg0[0, 3] [6, 4] [1, 1] : tensor<6x9xf32> to tensor<6x4xf32>
    return %extracted_slice : tensor<6x4xf32>
  }
}
