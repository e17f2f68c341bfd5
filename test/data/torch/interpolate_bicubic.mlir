// {"inputs": [{"seed": 2040761295, "shape": [1, 2, 4, 5], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 2.4, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x2x4x5xf32>) -> tensor<1x2x8x10xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c2_i64 = arith.constant 2 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c5_i64 = arith.constant 5 : i64
    %cst = arith.constant dense<2.000000e+00> : tensor<f32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant -7.500000e-01 : f32
    %cst_5 = arith.constant -3.750000e+00 : f32
    %cst_6 = arith.constant -6.000000e+00 : f32
    %cst_7 = arith.constant -3.000000e+00 : f32
    %cst_8 = arith.constant 1.250000e+00 : f32
    %cst_9 = arith.constant 2.250000e+00 : f32
    %0 = tensor.empty() : tensor<8xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %124 = linalg.index 0 : index
      %125 = arith.index_cast %124 : index to i64
      linalg.yield %125 : i64
    } -> tensor<8xi64>
    %2 = tensor.empty() : tensor<8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<8xi64>) outs(%2 : tensor<8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %124 = arith.sitofp %in : i64 to f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %4 = tensor.empty() : tensor<10xi64>
    %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%4 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %124 = linalg.index 0 : index
      %125 = arith.index_cast %124 : index to i64
      linalg.yield %125 : i64
    } -> tensor<10xi64>
    %6 = tensor.empty() : tensor<10xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<10xi64>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: i64, %out: f32):
      %124 = arith.sitofp %in : i64 to f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%7 : tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_1 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%8 : tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.mulf %in, %cst_1 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%9 : tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_1 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_1 : f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%11 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.mulf %in, %cst_1 : f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%12 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_1 : f32
      linalg.yield %124 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %13 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%10 : tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.floor %in : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %15 = tensor.empty() : tensor<8x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = math.floor %in : f32
      linalg.yield %124 : f32
    } -> tensor<8x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %16 : tensor<8x1xf32>, tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.subf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<8x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.cmpf ult, %in, %cst_2 : f32
      %125 = arith.select %124, %cst_2, %in : f32
      %126 = arith.cmpf ugt, %125, %cst_3 : f32
      %127 = arith.select %126, %cst_3, %125 : f32
      linalg.yield %127 : f32
    } -> tensor<8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%10, %14 : tensor<10xf32>, tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.subf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%19 : tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.cmpf ult, %in, %cst_2 : f32
      %125 = arith.select %124, %cst_2, %in : f32
      %126 = arith.cmpf ugt, %125, %cst_3 : f32
      %127 = arith.select %126, %cst_3, %125 : f32
      linalg.yield %127 : f32
    } -> tensor<10xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<10xf32>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: f32, %out: i64):
      %124 = arith.fptosi %in : f32 to i64
      linalg.yield %124 : i64
    } -> tensor<10xi64>
    %22 = tensor.empty() : tensor<8x1xi64>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<8x1xf32>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: f32, %out: i64):
      %124 = arith.fptosi %in : f32 to i64
      linalg.yield %124 : i64
    } -> tensor<8x1xi64>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.subi %in, %c1_i64 : i64
      linalg.yield %124 : i64
    } -> tensor<8x1xi64>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.addi %in, %c1_i64 : i64
      linalg.yield %124 : i64
    } -> tensor<8x1xi64>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.addi %in, %c2_i64 : i64
      linalg.yield %124 : i64
    } -> tensor<8x1xi64>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.subi %in, %c1_i64 : i64
      linalg.yield %124 : i64
    } -> tensor<10xi64>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.addi %in, %c1_i64 : i64
      linalg.yield %124 : i64
    } -> tensor<10xi64>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.addi %in, %c2_i64 : i64
      linalg.yield %124 : i64
    } -> tensor<10xi64>
    %30 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel"]} ins(%cst_0, %20 : tensor<f32>, tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.subf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %concat = tensor.concat dim(0) %20, %30 : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf32>
    %expanded_10 = tensor.expand_shape %concat [[0, 1]] output_shape [2, 10] : tensor<20xf32> into tensor<2x10xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%20 : tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_3 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel"]} ins(%cst, %20 : tensor<f32>, tensor<10xf32>) outs(%6 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.subf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<10xf32>
    %concat_11 = tensor.concat dim(0) %31, %32 : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf32>
    %expanded_12 = tensor.expand_shape %concat_11 [[0, 1]] output_shape [2, 10] : tensor<20xf32> into tensor<2x10xf32>
    %33 = tensor.empty() : tensor<2x10xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_12 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.mulf %in, %cst_4 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_5 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%35, %expanded_12 : tensor<2x10xf32>, tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_6 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%37, %expanded_12 : tensor<2x10xf32>, tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_7 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_10 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.mulf %in, %cst_8 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_9 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%41, %expanded_10 : tensor<2x10xf32>, tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%42, %expanded_10 : tensor<2x10xf32>, tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<2x10xf32>) outs(%33 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_3 : f32
      linalg.yield %124 : f32
    } -> tensor<2x10xf32>
    %extracted_slice = tensor.extract_slice %39[0, 0] [1, 10] [1, 1] : tensor<2x10xf32> to tensor<1x10xf32>
    %extracted_slice_13 = tensor.extract_slice %39[1, 0] [1, 10] [1, 1] : tensor<2x10xf32> to tensor<1x10xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
    %collapsed_14 = tensor.collapse_shape %extracted_slice_13 [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
    %extracted_slice_15 = tensor.extract_slice %44[0, 0] [1, 10] [1, 1] : tensor<2x10xf32> to tensor<1x10xf32>
    %extracted_slice_16 = tensor.extract_slice %44[1, 0] [1, 10] [1, 1] : tensor<2x10xf32> to tensor<1x10xf32>
    %collapsed_17 = tensor.collapse_shape %extracted_slice_15 [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
    %collapsed_18 = tensor.collapse_shape %extracted_slice_16 [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0, %18 : tensor<f32>, tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.subf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<8x1xf32>
    %concat_19 = tensor.concat dim(0) %18, %45 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
    %expanded_20 = tensor.expand_shape %concat_19 [[0, 1], [2]] output_shape [2, 8, 1] : tensor<16x1xf32> into tensor<2x8x1xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_3 : f32
      linalg.yield %124 : f32
    } -> tensor<8x1xf32>
    %47 = linalg.generic {indexing_maps = [#map3, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst, %18 : tensor<f32>, tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.subf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<8x1xf32>
    %concat_21 = tensor.concat dim(0) %46, %47 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
    %expanded_22 = tensor.expand_shape %concat_21 [[0, 1], [2]] output_shape [2, 8, 1] : tensor<16x1xf32> into tensor<2x8x1xf32>
    %48 = tensor.empty() : tensor<2x8x1xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.mulf %in, %cst_4 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_5 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %expanded_22 : tensor<2x8x1xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_6 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %expanded_22 : tensor<2x8x1xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_7 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.mulf %in, %cst_8 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.subf %in, %cst_9 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %expanded_20 : tensor<2x8x1xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %expanded_20 : tensor<2x8x1xf32>, tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x8x1xf32>) outs(%48 : tensor<2x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %124 = arith.addf %in, %cst_3 : f32
      linalg.yield %124 : f32
    } -> tensor<2x8x1xf32>
    %extracted_slice_23 = tensor.extract_slice %54[0, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<2x8x1xf32> to tensor<1x8x1xf32>
    %extracted_slice_24 = tensor.extract_slice %54[1, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<2x8x1xf32> to tensor<1x8x1xf32>
    %collapsed_25 = tensor.collapse_shape %extracted_slice_23 [[0, 1], [2]] : tensor<1x8x1xf32> into tensor<8x1xf32>
    %collapsed_26 = tensor.collapse_shape %extracted_slice_24 [[0, 1], [2]] : tensor<1x8x1xf32> into tensor<8x1xf32>
    %extracted_slice_27 = tensor.extract_slice %59[0, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<2x8x1xf32> to tensor<1x8x1xf32>
    %extracted_slice_28 = tensor.extract_slice %59[1, 0, 0] [1, 8, 1] [1, 1, 1] : tensor<2x8x1xf32> to tensor<1x8x1xf32>
    %collapsed_29 = tensor.collapse_shape %extracted_slice_27 [[0, 1], [2]] : tensor<1x8x1xf32> into tensor<8x1xf32>
    %collapsed_30 = tensor.collapse_shape %extracted_slice_28 [[0, 1], [2]] : tensor<1x8x1xf32> into tensor<8x1xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c3_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<8x1xi64>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%27 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c4_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<10xi64>
    %62 = tensor.empty() : tensor<2xi64>
    %63 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%62 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %124 = linalg.index 0 : index
      %125 = arith.index_cast %124 : index to i64
      linalg.yield %125 : i64
    } -> tensor<2xi64>
    %expanded_31 = tensor.expand_shape %63 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xi64> into tensor<2x1x1xi64>
    %64 = tensor.empty() : tensor<1xi64>
    %65 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%64 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_32 = tensor.expand_shape %65 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %66 = tensor.empty() : tensor<1x2x8x10xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %60, %61 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c4_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<10xi64>
    %69 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %60, %68 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%28 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c4_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<10xi64>
    %71 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %60, %70 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%29 : tensor<10xi64>) outs(%4 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c4_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<10xi64>
    %73 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %60, %72 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %74 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %collapsed : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %75 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %collapsed_17 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %76 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %75 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %77 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %collapsed_18 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %78 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %77 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %79 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %collapsed_14 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %80 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %79 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c3_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<8x1xi64>
    %82 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %81, %61 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %81, %68 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %81, %70 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %85 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %81, %72 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %86 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %collapsed : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %87 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %collapsed_17 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %88 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %87 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %89 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %collapsed_18 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %90 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %89 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %91 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %collapsed_14 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %92 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %91 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c3_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<8x1xi64>
    %94 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %93, %61 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %95 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %93, %68 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %96 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %93, %70 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %97 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %93, %72 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %98 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %collapsed : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %99 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95, %collapsed_17 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %100 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98, %99 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %101 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96, %collapsed_18 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %102 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %101 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %103 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %collapsed_14 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %104 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %103 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<8x1xi64>) outs(%22 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %124 = arith.maxsi %in, %c0_i64 : i64
      %125 = arith.minsi %124, %c3_i64 : i64
      linalg.yield %125 : i64
    } -> tensor<8x1xi64>
    %106 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %105, %61 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %107 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %105, %68 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %108 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %105, %70 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %109 = linalg.generic {indexing_maps = [#map5, #map6, #map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32, %expanded_31, %105, %72 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<8x1xi64>, tensor<10xi64>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: i64, %in_33: i64, %in_34: i64, %in_35: i64, %out: f32):
      %124 = arith.cmpi slt, %in, %c0_i64 : i64
      %125 = arith.addi %in, %c1_i64 : i64
      %126 = arith.select %124, %125, %in : i64
      %127 = arith.index_cast %126 : i64 to index
      %128 = arith.cmpi slt, %in_33, %c0_i64 : i64
      %129 = arith.addi %in_33, %c2_i64 : i64
      %130 = arith.select %128, %129, %in_33 : i64
      %131 = arith.index_cast %130 : i64 to index
      %132 = arith.cmpi slt, %in_34, %c0_i64 : i64
      %133 = arith.addi %in_34, %c4_i64 : i64
      %134 = arith.select %132, %133, %in_34 : i64
      %135 = arith.index_cast %134 : i64 to index
      %136 = arith.cmpi slt, %in_35, %c0_i64 : i64
      %137 = arith.addi %in_35, %c5_i64 : i64
      %138 = arith.select %136, %137, %in_35 : i64
      %139 = arith.index_cast %138 : i64 to index
      %extracted = tensor.extract %arg0[%127, %131, %135, %139] : tensor<1x2x4x5xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x10xf32>
    %110 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%106, %collapsed : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %111 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %collapsed_17 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %112 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110, %111 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %113 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108, %collapsed_18 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %114 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %113 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %115 = linalg.generic {indexing_maps = [#map9, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %collapsed_14 : tensor<1x2x8x10xf32>, tensor<10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %116 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %115 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %117 = linalg.generic {indexing_maps = [#map9, #map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %collapsed_25 : tensor<1x2x8x10xf32>, tensor<8x1xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %118 = linalg.generic {indexing_maps = [#map9, #map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %collapsed_29 : tensor<1x2x8x10xf32>, tensor<8x1xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %119 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %118 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %120 = linalg.generic {indexing_maps = [#map9, #map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%104, %collapsed_30 : tensor<1x2x8x10xf32>, tensor<8x1xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %121 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %120 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %122 = linalg.generic {indexing_maps = [#map9, #map7, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %collapsed_26 : tensor<1x2x8x10xf32>, tensor<8x1xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.mulf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    %123 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121, %122 : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%66 : tensor<1x2x8x10xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %124 = arith.addf %in, %in_33 : f32
      linalg.yield %124 : f32
    } -> tensor<1x2x8x10xf32>
    return %123 : tensor<1x2x8x10xf32>
  }
}
