// {"inputs": [{"seed": 1792849780, "shape": [5, 16], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.98, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<5x16xf32>) -> tensor<5x16xf32> {
    %extracted_slice = tensor.extract_slice %arg0[0, 13] [5, 3] [1, 1] : tensor<5x16xf32> to tensor<5x3xf32>
    %cast = tensor.cast %extracted_slice : tensor<5x3xf32> to tensor<5x?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0] [5, 13] [1, 1] : tensor<5x16xf32> to tensor<5x13xf32>
    %cast_1 = tensor.cast %extracted_slice_0 : tensor<5x13xf32> to tensor<5x?xf32>
    %concat = tensor.concat dim(1) %cast, %cast_1 : (tensor<5x?xf32>, tensor<5x?xf32>) -> tensor<5x16xf32>
    return %concat : tensor<5x16xf32>
  }
}
