// {"inputs": [{"seed": 1007705565, "shape": [2, 10, 32], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1878766945, "shape": [32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 872966401, "shape": [32, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w2": {"seed": 2095304928, "shape": [96], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 726156996, "shape": [96, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 450.0, "approximate": 84.9}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x10x32xf32>) -> tensor<2x10x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<true> : tensor<10x10xi1>
    %cst_3 = arith.constant dense_resource<w0> : tensor<32xf32>
    %cst_4 = arith.constant dense_resource<w1> : tensor<32x32xf32>
    %cst_5 = arith.constant 2.8284271247461903 : f64
    %cst_6 = arith.constant dense_resource<w2> : tensor<96xf32>
    %cst_7 = arith.constant dense_resource<w3> : tensor<96x32xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x10x32xf32> into tensor<20x32xf32>
    %0 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%cst_7 : tensor<96x32xf32>) outs(%0 : tensor<32x96xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<20x96xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<20x96xf32>) -> tensor<20x96xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<20x32xf32>, tensor<32x96xf32>) outs(%2 : tensor<20x96xf32>) -> tensor<20x96xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_6 : tensor<20x96xf32>, tensor<96xf32>) outs(%1 : tensor<20x96xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %41 = arith.addf %in, %in_29 : f32
      linalg.yield %41 : f32
    } -> tensor<20x96xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 10, 96] : tensor<20x96xf32> into tensor<2x10x96xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 10, 32] [1, 1, 1] : tensor<2x10x96xf32> to tensor<2x10x32xf32>
    %extracted_slice_8 = tensor.extract_slice %expanded[0, 0, 32] [2, 10, 32] [1, 1, 1] : tensor<2x10x96xf32> to tensor<2x10x32xf32>
    %extracted_slice_9 = tensor.extract_slice %expanded[0, 0, 64] [2, 10, 32] [1, 1, 1] : tensor<2x10x96xf32> to tensor<2x10x32xf32>
    %expanded_10 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<2x10x32xf32> into tensor<2x10x4x8xf32>
    %5 = tensor.empty() : tensor<2x4x10x8xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<2x10x4x8xf32>) outs(%5 : tensor<2x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_12 = tensor.expand_shape %extracted_slice_8 [[0], [1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<2x10x32xf32> into tensor<2x10x4x8xf32>
    %expanded_13 = tensor.expand_shape %extracted_slice_9 [[0], [1], [2, 3]] output_shape [2, 10, 4, 8] : tensor<2x10x32xf32> into tensor<2x10x4x8xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x10x4x8xf32>) outs(%5 : tensor<2x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %6 = tensor.empty() : tensor<2x4x8x10xf32>
    %transposed_15 = linalg.transpose ins(%expanded_12 : tensor<2x10x4x8xf32>) outs(%6 : tensor<2x4x8x10xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_16 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3]] : tensor<2x4x10x8xf32> into tensor<8x10x8xf32>
    %collapsed_17 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x4x8x10xf32> into tensor<8x8x10xf32>
    %7 = tensor.empty() : tensor<8x10x10xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x10x10xf32>) -> tensor<8x10x10xf32>
    %9 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<8x10x8xf32>, tensor<8x8x10xf32>) outs(%8 : tensor<8x10x10xf32>) -> tensor<8x10x10xf32>
    %expanded_18 = tensor.expand_shape %9 [[0, 1], [2], [3]] output_shape [2, 4, 10, 10] : tensor<8x10x10xf32> into tensor<2x4x10x10xf32>
    %10 = tensor.empty() : tensor<2x4x10x10xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x4x10x10xf32>) outs(%10 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.truncf %cst_5 : f64 to f32
      %42 = arith.divf %in, %41 : f32
      linalg.yield %42 : f32
    } -> tensor<2x4x10x10xf32>
    %12 = tensor.empty() : tensor<10xi64>
    %13 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%12 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %41 = linalg.index 0 : index
      %42 = arith.index_cast %41 : index to i64
      linalg.yield %42 : i64
    } -> tensor<10xi64>
    %expanded_19 = tensor.expand_shape %13 [[0, 1]] output_shape [1, 10] : tensor<10xi64> into tensor<1x10xi64>
    %expanded_20 = tensor.expand_shape %13 [[0, 1]] output_shape [10, 1] : tensor<10xi64> into tensor<10x1xi64>
    %14 = tensor.empty() : tensor<10x10xi64>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_19, %expanded_20 : tensor<1x10xi64>, tensor<10x1xi64>) outs(%14 : tensor<10x10xi64>) {
    ^bb0(%in: i64, %in_29: i64, %out: i64):
      %41 = arith.subi %in, %in_29 : i64
      linalg.yield %41 : i64
    } -> tensor<10x10xi64>
    %16 = tensor.empty() : tensor<10x10xi1>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<10x10xi64>) outs(%16 : tensor<10x10xi1>) {
    ^bb0(%in: i64, %out: i1):
      %41 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %41 : i1
    } -> tensor<10x10xi1>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %cst_2 : tensor<10x10xi1>, tensor<10x10xi1>) outs(%16 : tensor<10x10xi1>) {
    ^bb0(%in: i1, %in_29: i1, %out: i1):
      %41 = arith.andi %in, %in_29 : i1
      linalg.yield %41 : i1
    } -> tensor<10x10xi1>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<10x10xi1>) outs(%16 : tensor<10x10xi1>) {
    ^bb0(%in: i1, %out: i1):
      %41 = arith.xori %in, %true : i1
      linalg.yield %41 : i1
    } -> tensor<10x10xi1>
    %20 = linalg.generic {indexing_maps = [#map6, #map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %cst_1, %11 : tensor<10x10xi1>, tensor<f32>, tensor<2x4x10x10xf32>) outs(%10 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: i1, %in_29: f32, %in_30: f32, %out: f32):
      %41 = arith.select %in, %in_29, %in_30 : f32
      linalg.yield %41 : f32
    } -> tensor<2x4x10x10xf32>
    %21 = tensor.empty() : tensor<2x4x10xi64>
    %22 = linalg.fill ins(%c0_i64 : i64) outs(%21 : tensor<2x4x10xi64>) -> tensor<2x4x10xi64>
    %23 = tensor.empty() : tensor<2x4x10xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<2x4x10xf32>) -> tensor<2x4x10xf32>
    %25:2 = linalg.generic {indexing_maps = [#map2, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x4x10x10xf32>) outs(%24, %22 : tensor<2x4x10xf32>, tensor<2x4x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_29: i64):
      %41 = linalg.index 3 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_29 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<2x4x10xf32>, tensor<2x4x10xi64>)
    %expanded_21 = tensor.expand_shape %25#0 [[0], [1], [2, 3]] output_shape [2, 4, 10, 1] : tensor<2x4x10xf32> into tensor<2x4x10x1xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %expanded_21 : tensor<2x4x10x10xf32>, tensor<2x4x10x1xf32>) outs(%10 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %41 = arith.subf %in, %in_29 : f32
      linalg.yield %41 : f32
    } -> tensor<2x4x10x10xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x4x10x10xf32>) outs(%10 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x4x10x10xf32>
    %28 = tensor.empty() : tensor<2x4x10x1xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x4x10x1xf32>) -> tensor<2x4x10x1xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<2x4x10x10xf32>) outs(%29 : tensor<2x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<2x4x10x1xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<2x4x10x10xf32>, tensor<2x4x10x1xf32>) outs(%10 : tensor<2x4x10x10xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %41 = arith.divf %in, %in_29 : f32
      linalg.yield %41 : f32
    } -> tensor<2x4x10x10xf32>
    %collapsed_22 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x4x10x10xf32> into tensor<8x10x10xf32>
    %collapsed_23 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x10x8xf32> into tensor<8x10x8xf32>
    %32 = tensor.empty() : tensor<8x10x8xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<8x10x8xf32>) -> tensor<8x10x8xf32>
    %34 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<8x10x10xf32>, tensor<8x10x8xf32>) outs(%33 : tensor<8x10x8xf32>) -> tensor<8x10x8xf32>
    %expanded_24 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 4, 10, 8] : tensor<8x10x8xf32> into tensor<2x4x10x8xf32>
    %35 = tensor.empty() : tensor<2x10x4x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x4x10x8xf32>) outs(%35 : tensor<2x10x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0, 1], [2, 3]] : tensor<2x10x4x8xf32> into tensor<20x32xf32>
    %36 = tensor.empty() : tensor<32x32xf32>
    %transposed_27 = linalg.transpose ins(%cst_4 : tensor<32x32xf32>) outs(%36 : tensor<32x32xf32>) permutation = [1, 0] 
    %37 = tensor.empty() : tensor<20x32xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %39 = linalg.matmul ins(%collapsed_26, %transposed_27 : tensor<20x32xf32>, tensor<32x32xf32>) outs(%38 : tensor<20x32xf32>) -> tensor<20x32xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %cst_3 : tensor<20x32xf32>, tensor<32xf32>) outs(%37 : tensor<20x32xf32>) {
    ^bb0(%in: f32, %in_29: f32, %out: f32):
      %41 = arith.addf %in, %in_29 : f32
      linalg.yield %41 : f32
    } -> tensor<20x32xf32>
    %expanded_28 = tensor.expand_shape %40 [[0, 1], [2]] output_shape [2, 10, 32] : tensor<20x32xf32> into tensor<2x10x32xf32>
    return %expanded_28 : tensor<2x10x32xf32>
  }
}

