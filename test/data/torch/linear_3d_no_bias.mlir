// {"inputs": [{"seed": 1388723984, "shape": [2, 7, 32], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 558935555, "shape": [24, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.88, "sum": 179.0, "approximate": 0.0}]}
module {
  func.func @main(%arg0: tensor<2x7x32xf32>) -> tensor<2x7x24xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<w0> : tensor<24x32xf32>
    %0 = tensor.empty() : tensor<32x24xf32>
    %transposed = linalg.transpose ins(%cst_0 : tensor<24x32xf32>) outs(%0 : tensor<32x24xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x7x32xf32> into tensor<14x32xf32>
    %1 = tensor.empty() : tensor<14x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<14x32xf32>, tensor<32x24xf32>) outs(%2 : tensor<14x24xf32>) -> tensor<14x24xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2]] output_shape [2, 7, 24] : tensor<14x24xf32> into tensor<2x7x24xf32>
    return %expanded : tensor<2x7x24xf32>
  }
}

