// {"inputs": [{"seed": 244544683, "shape": [2, 5, 16], "dtype": "float32", "low": null, "high": null}, {"seed": 2039759933, "shape": [2, 7, 16], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 496408142, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 74699379, "shape": [16, 16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w2": {"seed": 1480814072, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 478360844, "shape": [48, 16], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 17.5, "sum": 49.0, "approximate": 13.7}, {"round": 4.02, "sum": 9.39, "approximate": 3.75}]}
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
module {
  func.func @main(%arg0: tensor<2x5x16xf32>, %arg1: tensor<2x7x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5x7xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense_resource<w0> : tensor<16xf32>
    %cst_2 = arith.constant dense_resource<w1> : tensor<16x16xf32>
    %cst_3 = arith.constant dense_resource<w2> : tensor<48xf32>
    %cst_4 = arith.constant dense_resource<w3> : tensor<48x16xf32>
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant 4.000000e+00 : f32
    %0 = tensor.empty() : tensor<5x2x16xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x5x16xf32>) outs(%0 : tensor<5x2x16xf32>) permutation = [1, 0, 2] 
    %1 = tensor.empty() : tensor<7x2x16xf32>
    %transposed_7 = linalg.transpose ins(%arg1 : tensor<2x7x16xf32>) outs(%1 : tensor<7x2x16xf32>) permutation = [1, 0, 2] 
    %extracted_slice = tensor.extract_slice %cst_4[0, 0] [16, 16] [1, 1] : tensor<48x16xf32> to tensor<16x16xf32>
    %extracted_slice_8 = tensor.extract_slice %cst_4[16, 0] [32, 16] [1, 1] : tensor<48x16xf32> to tensor<32x16xf32>
    %extracted_slice_9 = tensor.extract_slice %cst_3[0] [16] [1] : tensor<48xf32> to tensor<16xf32>
    %extracted_slice_10 = tensor.extract_slice %cst_3[16] [32] [1] : tensor<48xf32> to tensor<32xf32>
    %2 = tensor.empty() : tensor<16x16xf32>
    %transposed_11 = linalg.transpose ins(%extracted_slice : tensor<16x16xf32>) outs(%2 : tensor<16x16xf32>) permutation = [1, 0] 
    %3 = tensor.empty() : tensor<5x16x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<16x16xf32>) outs(%3 : tensor<5x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x16x16xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%0 : tensor<5x2x16xf32>) -> tensor<5x2x16xf32>
    %6 = linalg.batch_matmul ins(%transposed, %4 : tensor<5x2x16xf32>, tensor<5x16x16xf32>) outs(%5 : tensor<5x2x16xf32>) -> tensor<5x2x16xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %extracted_slice_9 : tensor<5x2x16xf32>, tensor<16xf32>) outs(%0 : tensor<5x2x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %46 = arith.addf %in, %in_33 : f32
      linalg.yield %46 : f32
    } -> tensor<5x2x16xf32>
    %8 = tensor.empty() : tensor<16x32xf32>
    %transposed_12 = linalg.transpose ins(%extracted_slice_8 : tensor<32x16xf32>) outs(%8 : tensor<16x32xf32>) permutation = [1, 0] 
    %9 = tensor.empty() : tensor<7x16x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_12 : tensor<16x32xf32>) outs(%9 : tensor<7x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x16x32xf32>
    %11 = tensor.empty() : tensor<7x2x32xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<7x2x32xf32>) -> tensor<7x2x32xf32>
    %13 = linalg.batch_matmul ins(%transposed_7, %10 : tensor<7x2x16xf32>, tensor<7x16x32xf32>) outs(%12 : tensor<7x2x32xf32>) -> tensor<7x2x32xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %extracted_slice_10 : tensor<7x2x32xf32>, tensor<32xf32>) outs(%11 : tensor<7x2x32xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %46 = arith.addf %in, %in_33 : f32
      linalg.yield %46 : f32
    } -> tensor<7x2x32xf32>
    %expanded = tensor.expand_shape %14 [[0, 1], [2], [3, 4]] output_shape [1, 7, 2, 2, 16] : tensor<7x2x32xf32> into tensor<1x7x2x2x16xf32>
    %15 = tensor.empty() : tensor<2x7x2x1x16xf32>
    %transposed_13 = linalg.transpose ins(%expanded : tensor<1x7x2x2x16xf32>) outs(%15 : tensor<2x7x2x1x16xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed_13 [[0], [1], [2, 3], [4]] : tensor<2x7x2x1x16xf32> into tensor<2x7x2x16xf32>
    %extracted_slice_14 = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 7, 2, 16] [1, 1, 1, 1] : tensor<2x7x2x16xf32> to tensor<1x7x2x16xf32>
    %extracted_slice_15 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 7, 2, 16] [1, 1, 1, 1] : tensor<2x7x2x16xf32> to tensor<1x7x2x16xf32>
    %collapsed_16 = tensor.collapse_shape %7 [[0], [1, 2]] : tensor<5x2x16xf32> into tensor<5x32xf32>
    %expanded_17 = tensor.expand_shape %collapsed_16 [[0], [1, 2]] output_shape [5, 8, 4] : tensor<5x32xf32> into tensor<5x8x4xf32>
    %16 = tensor.empty() : tensor<8x5x4xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<5x8x4xf32>) outs(%16 : tensor<8x5x4xf32>) permutation = [1, 0, 2] 
    %collapsed_19 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2, 3]] : tensor<1x7x2x16xf32> into tensor<7x32xf32>
    %expanded_20 = tensor.expand_shape %collapsed_19 [[0], [1, 2]] output_shape [7, 8, 4] : tensor<7x32xf32> into tensor<7x8x4xf32>
    %collapsed_21 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2, 3]] : tensor<1x7x2x16xf32> into tensor<7x32xf32>
    %expanded_22 = tensor.expand_shape %collapsed_21 [[0], [1, 2]] output_shape [7, 8, 4] : tensor<7x32xf32> into tensor<7x8x4xf32>
    %17 = tensor.empty() : tensor<8x7x4xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<7x8x4xf32>) outs(%17 : tensor<8x7x4xf32>) permutation = [1, 0, 2] 
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_18 : tensor<8x5x4xf32>) outs(%16 : tensor<8x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.mulf %in, %cst_5 : f32
      linalg.yield %46 : f32
    } -> tensor<8x5x4xf32>
    %19 = tensor.empty() : tensor<8x4x7xf32>
    %transposed_24 = linalg.transpose ins(%expanded_20 : tensor<7x8x4xf32>) outs(%19 : tensor<8x4x7xf32>) permutation = [1, 2, 0] 
    %20 = tensor.empty() : tensor<8x5x7xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<8x5x7xf32>) -> tensor<8x5x7xf32>
    %22 = linalg.batch_matmul ins(%18, %transposed_24 : tensor<8x5x4xf32>, tensor<8x4x7xf32>) outs(%21 : tensor<8x5x7xf32>) -> tensor<8x5x7xf32>
    %23 = tensor.empty() : tensor<8x5xi64>
    %24 = linalg.fill ins(%c0_i64 : i64) outs(%23 : tensor<8x5xi64>) -> tensor<8x5xi64>
    %25 = tensor.empty() : tensor<8x5xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<8x5xf32>) -> tensor<8x5xf32>
    %27:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<8x5x7xf32>) outs(%26, %24 : tensor<8x5xf32>, tensor<8x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %46 = linalg.index 2 : index
      %47 = arith.index_cast %46 : index to i64
      %48 = arith.maximumf %in, %out : f32
      %49 = arith.cmpf ogt, %in, %out : f32
      %50 = arith.select %49, %47, %out_33 : i64
      linalg.yield %48, %50 : f32, i64
    } -> (tensor<8x5xf32>, tensor<8x5xi64>)
    %expanded_25 = tensor.expand_shape %27#0 [[0], [1, 2]] output_shape [8, 5, 1] : tensor<8x5xf32> into tensor<8x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %expanded_25 : tensor<8x5x7xf32>, tensor<8x5x1xf32>) outs(%20 : tensor<8x5x7xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %46 = arith.subf %in, %in_33 : f32
      linalg.yield %46 : f32
    } -> tensor<8x5x7xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<8x5x7xf32>) outs(%20 : tensor<8x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = math.exp %in : f32
      linalg.yield %46 : f32
    } -> tensor<8x5x7xf32>
    %30 = tensor.empty() : tensor<8x5x1xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<8x5x1xf32>) -> tensor<8x5x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<8x5x7xf32>) outs(%31 : tensor<8x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<8x5x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<8x5x7xf32>, tensor<8x5x1xf32>) outs(%20 : tensor<8x5x7xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %46 = arith.divf %in, %in_33 : f32
      linalg.yield %46 : f32
    } -> tensor<8x5x7xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%16 : tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %35 = linalg.batch_matmul ins(%33, %transposed_23 : tensor<8x5x7xf32>, tensor<8x7x4xf32>) outs(%34 : tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %36 = tensor.empty() : tensor<5x8x4xf32>
    %transposed_26 = linalg.transpose ins(%35 : tensor<8x5x4xf32>) outs(%36 : tensor<5x8x4xf32>) permutation = [1, 0, 2] 
    %collapsed_27 = tensor.collapse_shape %transposed_26 [[0, 1, 2]] : tensor<5x8x4xf32> into tensor<160xf32>
    %expanded_28 = tensor.expand_shape %collapsed_27 [[0, 1]] output_shape [10, 16] : tensor<160xf32> into tensor<10x16xf32>
    %transposed_29 = linalg.transpose ins(%cst_2 : tensor<16x16xf32>) outs(%2 : tensor<16x16xf32>) permutation = [1, 0] 
    %37 = tensor.empty() : tensor<10x16xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %39 = linalg.matmul ins(%expanded_28, %transposed_29 : tensor<10x16xf32>, tensor<16x16xf32>) outs(%38 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%39, %cst_1 : tensor<10x16xf32>, tensor<16xf32>) outs(%37 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %46 = arith.addf %in, %in_33 : f32
      linalg.yield %46 : f32
    } -> tensor<10x16xf32>
    %expanded_30 = tensor.expand_shape %40 [[0, 1], [2]] output_shape [5, 2, 16] : tensor<10x16xf32> into tensor<5x2x16xf32>
    %expanded_31 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [2, 4, 5, 7] : tensor<8x5x7xf32> into tensor<2x4x5x7xf32>
    %41 = tensor.empty() : tensor<2x5x7xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%expanded_31 : tensor<2x4x5x7xf32>) outs(%42 : tensor<2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %out : f32
      linalg.yield %46 : f32
    } -> tensor<2x5x7xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<2x5x7xf32>) outs(%41 : tensor<2x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.divf %in, %cst_6 : f32
      linalg.yield %46 : f32
    } -> tensor<2x5x7xf32>
    %45 = tensor.empty() : tensor<2x5x16xf32>
    %transposed_32 = linalg.transpose ins(%expanded_30 : tensor<5x2x16xf32>) outs(%45 : tensor<2x5x16xf32>) permutation = [1, 0, 2] 
    return %transposed_32, %44 : tensor<2x5x16xf32>, tensor<2x5x7xf32>
  }
}

