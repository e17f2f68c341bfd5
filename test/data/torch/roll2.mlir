// {"inputs": [{"seed": 555829307, "shape": [6, 9], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.96, "sum": 0.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<6x9xf32>) -> tensor<6x9xf32> {
    %extracted_slice = tensor.extract_slice %arg0[5, 0] [1, 9] [1, 1] : tensor<6x9xf32> to tensor<1x9xf32>
    %cast = tensor.cast %extracted_slice : tensor<1x9xf32> to tensor<?x9xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0] [5, 9] [1, 1] : tensor<6x9xf32> to tensor<5x9xf32>
    %cast_1 = tensor.cast %extracted_slice_0 : tensor<5x9xf32> to tensor<?x9xf32>
    %concat = tensor.concat dim(0) %cast, %cast_1 : (tensor<?x9xf32>, tensor<?x9xf32>) -> tensor<6x9xf32>
    %extracted_slice_2 = tensor.extract_slice %concat[0, 2] [6, 7] [1, 1] : tensor<6x9xf32> to tensor<6x7xf32>
    %cast_3 = tensor.cast %extracted_slice_2 : tensor<6x7xf32> to tensor<6x?xf32>
    %extracted_slice_4 = tensor.extract_slice %concat[0, 0] [6, 2] [1, 1] : tensor<6x9xf32> to tensor<6x2xf32>
    %cast_5 = tensor.cast %extracted_slice_4 : tensor<6x2xf32> to tensor<6x?xf32>
    %concat_6 = tensor.concat dim(1) %cast_3, %cast_5 : (tensor<6x?xf32>, tensor<6x?xf32>) -> tensor<6x9xf32>
    return %concat_6 : tensor<6x9xf32>
  }
}
