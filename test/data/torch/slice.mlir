// {"inputs": [{"seed": 2024969778, "shape": [12, 20], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.93, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<12x20xf32>) -> tensor<7x7xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[2, 0] [7, 20] [1, 1] : tensor<12x20xf32> to tensor<7x20xf32>
    %extracted_slice_0 = tensor.extract_slice %extracted_slice[0, 0] [7, 7] [1, 3] : tensor<7x20xf32> to tensor<7x7xf32>
    %0 = tensor.empty() : tensor<7x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_0 : tensor<7x7xf32>) outs(%0 : tensor<7x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<7x7xf32>
    return %1 : tensor<7x7xf32>
  }
}
