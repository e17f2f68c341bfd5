// {"inputs": [{"seed": 1686334833, "shape": [4, 20], "dtype": "float32", "low": null, "high": null}, {"seed": 327441895, "shape": [4, 16], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 249379673, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1197275361, "shape": [48, 16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w2": {"seed": 398854680, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 1581762976, "shape": [48, 20], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 2.44, "sum": 76.4, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<4x20xf32>, %arg1: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<w0> : tensor<48xf32>
    %cst_2 = arith.constant dense_resource<w1> : tensor<48x16xf32>
    %cst_3 = arith.constant dense_resource<w2> : tensor<48xf32>
    %cst_4 = arith.constant dense_resource<w3> : tensor<48x20xf32>
    %0 = tensor.empty() : tensor<20x48xf32>
    %transposed = linalg.transpose ins(%cst_4 : tensor<48x20xf32>) outs(%0 : tensor<20x48xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<4x48xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x48xf32>) -> tensor<4x48xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<4x20xf32>, tensor<20x48xf32>) outs(%2 : tensor<4x48xf32>) -> tensor<4x48xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_3 : tensor<4x48xf32>, tensor<48xf32>) outs(%1 : tensor<4x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.addf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x48xf32>
    %extracted_slice = tensor.extract_slice %4[0, 0] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
    %extracted_slice_5 = tensor.extract_slice %4[0, 16] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
    %extracted_slice_6 = tensor.extract_slice %4[0, 32] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
    %5 = tensor.empty() : tensor<16x48xf32>
    %transposed_7 = linalg.transpose ins(%cst_2 : tensor<48x16xf32>) outs(%5 : tensor<16x48xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%arg1, %transposed_7 : tensor<4x16xf32>, tensor<16x48xf32>) outs(%2 : tensor<4x48xf32>) -> tensor<4x48xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %cst_1 : tensor<4x48xf32>, tensor<48xf32>) outs(%1 : tensor<4x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.addf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x48xf32>
    %extracted_slice_8 = tensor.extract_slice %7[0, 0] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
    %extracted_slice_9 = tensor.extract_slice %7[0, 16] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
    %extracted_slice_10 = tensor.extract_slice %7[0, 32] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
    %8 = tensor.empty() : tensor<4x16xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_8, %extracted_slice : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.addf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.negf %in : f32
      %20 = math.exp %19 : f32
      %21 = arith.addf %20, %cst_0 : f32
      %22 = arith.divf %cst_0, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<4x16xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_9, %extracted_slice_5 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.addf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.negf %in : f32
      %20 = math.exp %19 : f32
      %21 = arith.addf %20, %cst_0 : f32
      %22 = arith.divf %cst_0, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<4x16xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_10, %10 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.mulf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_6, %13 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.addf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.tanh %in : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %15 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.subf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %12 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.mulf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %15 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%8 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %19 = arith.addf %in, %in_11 : f32
      linalg.yield %19 : f32
    } -> tensor<4x16xf32>
    return %18 : tensor<4x16xf32>
  }
}

