// {"inputs": [{"seed": 179381428, "shape": [2, 8], "dtype": "int64", "low": 0, "high": 40}], "weights": {"w0": {"seed": 1312263631, "shape": [40, 24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1196991247, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w2": {"seed": 1000518362, "shape": [24], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w3": {"seed": 858659392, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w4": {"seed": 2130615886, "shape": [24, 96], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w5": {"seed": 265286971, "shape": [96], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w6": {"seed": 41975163, "shape": [96, 24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w7": {"seed": 913241483, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w8": {"seed": 1715858018, "shape": [24], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w9": {"seed": 1556423667, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w10": {"seed": 1846740182, "shape": [24, 24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w11": {"seed": 1339901554, "shape": [72], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w12": {"seed": 1901275923, "shape": [72, 24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w13": {"seed": 821724965, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w14": {"seed": 1758129537, "shape": [24], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w15": {"seed": 1868060432, "shape": [8, 24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w16": {"seed": 1410178589, "shape": [40, 24], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 1380.0, "approximate": 192.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1) -> (0, d1)>
#map11 = affine_map<(d0, d1) -> (d0, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> ()>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x8xi64>) -> tensor<2x8x40xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c8 = arith.constant 8 : index
    %c40 = arith.constant 40 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %c3_i64 = arith.constant 3 : i64
    %cst_2 = arith.constant 4.471500e-02 : f32
    %cst_3 = arith.constant 7.977240e-01 : f32
    %cst_4 = arith.constant 1.000000e+00 : f32
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_7 = arith.constant dense<true> : tensor<8x8xi1>
    %cst_8 = arith.constant dense_resource<w0> : tensor<40x24xf32>
    %cst_9 = arith.constant dense_resource<w1> : tensor<24xf32>
    %cst_10 = arith.constant dense_resource<w2> : tensor<24xf32>
    %cst_11 = arith.constant dense_resource<w3> : tensor<24xf32>
    %cst_12 = arith.constant dense_resource<w4> : tensor<24x96xf32>
    %cst_13 = arith.constant dense_resource<w5> : tensor<96xf32>
    %cst_14 = arith.constant dense_resource<w6> : tensor<96x24xf32>
    %cst_15 = arith.constant dense_resource<w7> : tensor<24xf32>
    %cst_16 = arith.constant dense_resource<w8> : tensor<24xf32>
    %cst_17 = arith.constant dense_resource<w9> : tensor<24xf32>
    %cst_18 = arith.constant dense_resource<w10> : tensor<24x24xf32>
    %cst_19 = arith.constant 2.4494897427831779 : f64
    %cst_20 = arith.constant dense_resource<w11> : tensor<72xf32>
    %cst_21 = arith.constant dense_resource<w12> : tensor<72x24xf32>
    %cst_22 = arith.constant dense_resource<w13> : tensor<24xf32>
    %cst_23 = arith.constant dense_resource<w14> : tensor<24xf32>
    %cst_24 = arith.constant 1.000000e-05 : f64
    %cst_25 = arith.constant dense_resource<w15> : tensor<8x24xf32>
    %cst_26 = arith.constant dense_resource<w16> : tensor<40x24xf32>
    %cst_27 = arith.constant 2.400000e+01 : f64
    %cst_28 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<2x8x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8xi64>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: i64, %out: f32):
      %115 = arith.index_cast %in : i64 to index
      %116 = linalg.index 2 : index
      %117 = arith.cmpi slt, %115, %c40 : index
      cf.assert %117, "index must be smaller than dim size"
      %118 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %118, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_26[%115, %116] : tensor<40x24xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x8x24xf32>
    %2 = tensor.empty() : tensor<8xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %115 = linalg.index 0 : index
      %116 = arith.index_cast %115 : index to i64
      linalg.yield %116 : i64
    } -> tensor<8xi64>
    %4 = tensor.empty() : tensor<8x24xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8xi64>) outs(%4 : tensor<8x24xf32>) {
    ^bb0(%in: i64, %out: f32):
      %115 = arith.index_cast %in : i64 to index
      %116 = linalg.index 1 : index
      %117 = arith.cmpi slt, %115, %c8 : index
      cf.assert %117, "index must be smaller than dim size"
      %118 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %118, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_25[%115, %116] : tensor<8x24xf32>
      linalg.yield %extracted : f32
    } -> tensor<8x24xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %7 = tensor.empty() : tensor<2x8x24xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x8x24xf32>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %115 = arith.extf %in : f32 to f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %9 = tensor.empty() : tensor<2x8x1xf64>
    %10 = linalg.fill ins(%cst : f64) outs(%9 : tensor<2x8x1xf64>) -> tensor<2x8x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x8x24xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.addf %in, %out : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.divf %in, %cst_27 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %12 : tensor<2x8x24xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f64, %in_59: f64, %out: f64):
      %115 = arith.subf %in, %in_59 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %13 : tensor<2x8x24xf64>, tensor<2x8x24xf64>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f64, %in_59: f64, %out: f64):
      %115 = arith.mulf %in, %in_59 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %15 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x8x24xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.addf %in, %out : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.divf %in, %cst_27 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %17 = tensor.empty() : tensor<2x8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %115 = arith.truncf %in : f64 to f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x8x24xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %out : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_28 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.truncf %cst_24 : f64 to f32
      %116 = arith.addf %in, %115 : f32
      linalg.yield %116 : f32
    } -> tensor<2x8x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %21 : tensor<2x8x24xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.subf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %23 : tensor<2x8x24xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.mulf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %cst_23 : tensor<2x8x24xf32>, tensor<24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.mulf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %cst_22 : tensor<2x8x24xf32>, tensor<24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %collapsed = tensor.collapse_shape %27 [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
    %28 = tensor.empty() : tensor<24x72xf32>
    %transposed = linalg.transpose ins(%cst_21 : tensor<72x24xf32>) outs(%28 : tensor<24x72xf32>) permutation = [1, 0] 
    %29 = tensor.empty() : tensor<16x72xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<16x72xf32>) -> tensor<16x72xf32>
    %31 = linalg.matmul ins(%collapsed, %transposed : tensor<16x24xf32>, tensor<24x72xf32>) outs(%30 : tensor<16x72xf32>) -> tensor<16x72xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%31, %cst_20 : tensor<16x72xf32>, tensor<72xf32>) outs(%29 : tensor<16x72xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<16x72xf32>
    %expanded = tensor.expand_shape %32 [[0, 1], [2]] output_shape [2, 8, 72] : tensor<16x72xf32> into tensor<2x8x72xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 8, 24] [1, 1, 1] : tensor<2x8x72xf32> to tensor<2x8x24xf32>
    %extracted_slice_29 = tensor.extract_slice %expanded[0, 0, 24] [2, 8, 24] [1, 1, 1] : tensor<2x8x72xf32> to tensor<2x8x24xf32>
    %extracted_slice_30 = tensor.extract_slice %expanded[0, 0, 48] [2, 8, 24] [1, 1, 1] : tensor<2x8x72xf32> to tensor<2x8x24xf32>
    %expanded_31 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 8, 4, 6] : tensor<2x8x24xf32> into tensor<2x8x4x6xf32>
    %33 = tensor.empty() : tensor<2x4x8x6xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<2x8x4x6xf32>) outs(%33 : tensor<2x4x8x6xf32>) permutation = [0, 2, 1, 3] 
    %expanded_33 = tensor.expand_shape %extracted_slice_29 [[0], [1], [2, 3]] output_shape [2, 8, 4, 6] : tensor<2x8x24xf32> into tensor<2x8x4x6xf32>
    %expanded_34 = tensor.expand_shape %extracted_slice_30 [[0], [1], [2, 3]] output_shape [2, 8, 4, 6] : tensor<2x8x24xf32> into tensor<2x8x4x6xf32>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<2x8x4x6xf32>) outs(%33 : tensor<2x4x8x6xf32>) permutation = [0, 2, 1, 3] 
    %34 = tensor.empty() : tensor<2x4x6x8xf32>
    %transposed_36 = linalg.transpose ins(%expanded_33 : tensor<2x8x4x6xf32>) outs(%34 : tensor<2x4x6x8xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_37 = tensor.collapse_shape %transposed_32 [[0, 1], [2], [3]] : tensor<2x4x8x6xf32> into tensor<8x8x6xf32>
    %collapsed_38 = tensor.collapse_shape %transposed_36 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
    %35 = tensor.empty() : tensor<8x8x8xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %37 = linalg.batch_matmul ins(%collapsed_37, %collapsed_38 : tensor<8x8x6xf32>, tensor<8x6x8xf32>) outs(%36 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_39 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
    %38 = tensor.empty() : tensor<2x4x8x8xf32>
    %39 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.truncf %cst_19 : f64 to f32
      %116 = arith.divf %in, %115 : f32
      linalg.yield %116 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_40 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
    %expanded_41 = tensor.expand_shape %3 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %40 = tensor.empty() : tensor<8x8xi64>
    %41 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_40, %expanded_41 : tensor<1x8xi64>, tensor<8x1xi64>) outs(%40 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_59: i64, %out: i64):
      %115 = arith.subi %in, %in_59 : i64
      linalg.yield %115 : i64
    } -> tensor<8x8xi64>
    %42 = tensor.empty() : tensor<8x8xi1>
    %43 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<8x8xi64>) outs(%42 : tensor<8x8xi1>) {
    ^bb0(%in: i64, %out: i1):
      %115 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %115 : i1
    } -> tensor<8x8xi1>
    %44 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%43, %cst_7 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%42 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_59: i1, %out: i1):
      %115 = arith.andi %in, %in_59 : i1
      linalg.yield %115 : i1
    } -> tensor<8x8xi1>
    %45 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<8x8xi1>) outs(%42 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      %115 = arith.xori %in, %true : i1
      linalg.yield %115 : i1
    } -> tensor<8x8xi1>
    %46 = linalg.generic {indexing_maps = [#map12, #map13, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %cst_6, %39 : tensor<8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: i1, %in_59: f32, %in_60: f32, %out: f32):
      %115 = arith.select %in, %in_59, %in_60 : f32
      linalg.yield %115 : f32
    } -> tensor<2x4x8x8xf32>
    %47 = tensor.empty() : tensor<2x4x8xi64>
    %48 = linalg.fill ins(%c0_i64 : i64) outs(%47 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %49 = tensor.empty() : tensor<2x4x8xf32>
    %50 = linalg.fill ins(%cst_1 : f32) outs(%49 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %51:2 = linalg.generic {indexing_maps = [#map9, #map14, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x4x8x8xf32>) outs(%50, %48 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_59: i64):
      %115 = linalg.index 3 : index
      %116 = arith.index_cast %115 : index to i64
      %117 = arith.maximumf %in, %out : f32
      %118 = arith.cmpf ogt, %in, %out : f32
      %119 = arith.select %118, %116, %out_59 : i64
      linalg.yield %117, %119 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_42 = tensor.expand_shape %51#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %52 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %expanded_42 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.subf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x4x8x8xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x4x8x8xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.exp %in : f32
      linalg.yield %115 : f32
    } -> tensor<2x4x8x8xf32>
    %54 = tensor.empty() : tensor<2x4x8x1xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %56 = linalg.generic {indexing_maps = [#map9, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<2x4x8x8xf32>) outs(%55 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %out : f32
      linalg.yield %115 : f32
    } -> tensor<2x4x8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map9, #map15, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<2x4x8x8xf32>, tensor<2x4x8x1xf32>) outs(%38 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.divf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x4x8x8xf32>
    %collapsed_43 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %collapsed_44 = tensor.collapse_shape %transposed_35 [[0, 1], [2], [3]] : tensor<2x4x8x6xf32> into tensor<8x8x6xf32>
    %58 = tensor.empty() : tensor<8x8x6xf32>
    %59 = linalg.fill ins(%cst_0 : f32) outs(%58 : tensor<8x8x6xf32>) -> tensor<8x8x6xf32>
    %60 = linalg.batch_matmul ins(%collapsed_43, %collapsed_44 : tensor<8x8x8xf32>, tensor<8x8x6xf32>) outs(%59 : tensor<8x8x6xf32>) -> tensor<8x8x6xf32>
    %expanded_45 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [2, 4, 8, 6] : tensor<8x8x6xf32> into tensor<2x4x8x6xf32>
    %61 = tensor.empty() : tensor<2x8x4x6xf32>
    %transposed_46 = linalg.transpose ins(%expanded_45 : tensor<2x4x8x6xf32>) outs(%61 : tensor<2x8x4x6xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_47 = tensor.collapse_shape %transposed_46 [[0, 1], [2, 3]] : tensor<2x8x4x6xf32> into tensor<16x24xf32>
    %62 = tensor.empty() : tensor<24x24xf32>
    %transposed_48 = linalg.transpose ins(%cst_18 : tensor<24x24xf32>) outs(%62 : tensor<24x24xf32>) permutation = [1, 0] 
    %63 = tensor.empty() : tensor<16x24xf32>
    %64 = linalg.fill ins(%cst_0 : f32) outs(%63 : tensor<16x24xf32>) -> tensor<16x24xf32>
    %65 = linalg.matmul ins(%collapsed_47, %transposed_48 : tensor<16x24xf32>, tensor<24x24xf32>) outs(%64 : tensor<16x24xf32>) -> tensor<16x24xf32>
    %66 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%65, %cst_17 : tensor<16x24xf32>, tensor<24xf32>) outs(%63 : tensor<16x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<16x24xf32>
    %expanded_49 = tensor.expand_shape %66 [[0, 1], [2]] output_shape [2, 8, 24] : tensor<16x24xf32> into tensor<2x8x24xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %expanded_49 : tensor<2x8x24xf32>, tensor<2x8x24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x8x24xf32>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %115 = arith.extf %in : f32 to f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<2x8x24xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.addf %in, %out : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.divf %in, %cst_27 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %71 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %70 : tensor<2x8x24xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f64, %in_59: f64, %out: f64):
      %115 = arith.subf %in, %in_59 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %72 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %71 : tensor<2x8x24xf64>, tensor<2x8x24xf64>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f64, %in_59: f64, %out: f64):
      %115 = arith.mulf %in, %in_59 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %73 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<2x8x24xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.addf %in, %out : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.divf %in, %cst_27 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %115 = arith.truncf %in : f64 to f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%67 : tensor<2x8x24xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %out : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_28 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.truncf %cst_24 : f64 to f32
      %116 = arith.addf %in, %115 : f32
      linalg.yield %116 : f32
    } -> tensor<2x8x1xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %77 : tensor<2x8x24xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.subf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %79 : tensor<2x8x24xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.mulf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %cst_16 : tensor<2x8x24xf32>, tensor<24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.mulf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %cst_15 : tensor<2x8x24xf32>, tensor<24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %collapsed_50 = tensor.collapse_shape %83 [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
    %84 = tensor.empty() : tensor<24x96xf32>
    %transposed_51 = linalg.transpose ins(%cst_14 : tensor<96x24xf32>) outs(%84 : tensor<24x96xf32>) permutation = [1, 0] 
    %85 = tensor.empty() : tensor<16x96xf32>
    %86 = linalg.fill ins(%cst_0 : f32) outs(%85 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %87 = linalg.matmul ins(%collapsed_50, %transposed_51 : tensor<16x24xf32>, tensor<24x96xf32>) outs(%86 : tensor<16x96xf32>) -> tensor<16x96xf32>
    %88 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%87, %cst_13 : tensor<16x96xf32>, tensor<96xf32>) outs(%85 : tensor<16x96xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<16x96xf32>
    %expanded_52 = tensor.expand_shape %88 [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
    %89 = tensor.empty() : tensor<2x8x96xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_52 : tensor<2x8x96xf32>) outs(%89 : tensor<2x8x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.fpowi %in, %c3_i64 : f32, i64
      %116 = arith.mulf %115, %cst_2 : f32
      %117 = arith.addf %in, %116 : f32
      %118 = arith.mulf %117, %cst_3 : f32
      %119 = math.tanh %118 : f32
      %120 = arith.addf %119, %cst_4 : f32
      %121 = arith.mulf %120, %cst_5 : f32
      %122 = arith.mulf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x8x96xf32>
    %collapsed_53 = tensor.collapse_shape %90 [[0, 1], [2]] : tensor<2x8x96xf32> into tensor<16x96xf32>
    %91 = tensor.empty() : tensor<96x24xf32>
    %transposed_54 = linalg.transpose ins(%cst_12 : tensor<24x96xf32>) outs(%91 : tensor<96x24xf32>) permutation = [1, 0] 
    %92 = linalg.matmul ins(%collapsed_53, %transposed_54 : tensor<16x96xf32>, tensor<96x24xf32>) outs(%64 : tensor<16x24xf32>) -> tensor<16x24xf32>
    %93 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%92, %cst_11 : tensor<16x24xf32>, tensor<24xf32>) outs(%63 : tensor<16x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<16x24xf32>
    %expanded_55 = tensor.expand_shape %93 [[0, 1], [2]] output_shape [2, 8, 24] : tensor<16x24xf32> into tensor<2x8x24xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %expanded_55 : tensor<2x8x24xf32>, tensor<2x8x24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<2x8x24xf32>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %115 = arith.extf %in : f32 to f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %96 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<2x8x24xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.addf %in, %out : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %97 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.divf %in, %cst_27 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %98 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %97 : tensor<2x8x24xf64>, tensor<2x8x1xf64>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f64, %in_59: f64, %out: f64):
      %115 = arith.subf %in, %in_59 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %99 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %98 : tensor<2x8x24xf64>, tensor<2x8x24xf64>) outs(%7 : tensor<2x8x24xf64>) {
    ^bb0(%in: f64, %in_59: f64, %out: f64):
      %115 = arith.mulf %in, %in_59 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x24xf64>
    %100 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%99 : tensor<2x8x24xf64>) outs(%10 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.addf %in, %out : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x8x1xf64>) outs(%9 : tensor<2x8x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %115 = arith.divf %in, %cst_27 : f64
      linalg.yield %115 : f64
    } -> tensor<2x8x1xf64>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x8x1xf64>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %115 = arith.truncf %in : f64 to f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94 : tensor<2x8x24xf32>) outs(%19 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.addf %in, %out : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.divf %in, %cst_28 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = arith.truncf %cst_24 : f64 to f32
      %116 = arith.addf %in, %115 : f32
      linalg.yield %116 : f32
    } -> tensor<2x8x1xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x8x1xf32>) outs(%17 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %115 = math.rsqrt %in : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x1xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %104 : tensor<2x8x24xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.subf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %106 : tensor<2x8x24xf32>, tensor<2x8x1xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.mulf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %cst_10 : tensor<2x8x24xf32>, tensor<24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.mulf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %cst_9 : tensor<2x8x24xf32>, tensor<24xf32>) outs(%0 : tensor<2x8x24xf32>) {
    ^bb0(%in: f32, %in_59: f32, %out: f32):
      %115 = arith.addf %in, %in_59 : f32
      linalg.yield %115 : f32
    } -> tensor<2x8x24xf32>
    %111 = tensor.empty() : tensor<24x40xf32>
    %transposed_56 = linalg.transpose ins(%cst_8 : tensor<40x24xf32>) outs(%111 : tensor<24x40xf32>) permutation = [1, 0] 
    %collapsed_57 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
    %112 = tensor.empty() : tensor<16x40xf32>
    %113 = linalg.fill ins(%cst_0 : f32) outs(%112 : tensor<16x40xf32>) -> tensor<16x40xf32>
    %114 = linalg.matmul ins(%collapsed_57, %transposed_56 : tensor<16x24xf32>, tensor<24x40xf32>) outs(%113 : tensor<16x40xf32>) -> tensor<16x40xf32>
    %expanded_58 = tensor.expand_shape %114 [[0, 1], [2]] output_shape [2, 8, 40] : tensor<16x40xf32> into tensor<2x8x40xf32>
    return %expanded_58 : tensor<2x8x40xf32>
  }
}

