// {"inputs": [{"seed": 200751963, "shape": [1, 12, 48], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 702377907, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1627435888, "shape": [48, 192], "dtype": "float32", "kind": "weight", "scale": 0.0625}, "w2": {"seed": 2005432642, "shape": [192], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 410192008, "shape": [192, 48], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w4": {"seed": 533691295, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w5": {"seed": 1122745009, "shape": [48], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w6": {"seed": 1624589025, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w7": {"seed": 743610843, "shape": [48, 48], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w8": {"seed": 1942824800, "shape": [144], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w9": {"seed": 856864286, "shape": [144, 48], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w10": {"seed": 425396529, "shape": [48], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w11": {"seed": 1281670482, "shape": [48], "dtype": "float32", "kind": "near_one", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 587.0, "approximate": 33.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x12x48xf32>) -> tensor<1x12x48xf32> {
    %c0_i64 = arith.constant 0 : i64
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
    %cst_7 = arith.constant dense<true> : tensor<12x12xi1>
    %cst_8 = arith.constant dense_resource<w0> : tensor<48xf32>
    %cst_9 = arith.constant dense_resource<w1> : tensor<48x192xf32>
    %cst_10 = arith.constant dense_resource<w2> : tensor<192xf32>
    %cst_11 = arith.constant dense_resource<w3> : tensor<192x48xf32>
    %cst_12 = arith.constant dense_resource<w4> : tensor<48xf32>
    %cst_13 = arith.constant dense_resource<w5> : tensor<48xf32>
    %cst_14 = arith.constant dense_resource<w6> : tensor<48xf32>
    %cst_15 = arith.constant dense_resource<w7> : tensor<48x48xf32>
    %cst_16 = arith.constant 3.4641016151377544 : f64
    %cst_17 = arith.constant dense_resource<w8> : tensor<144xf32>
    %cst_18 = arith.constant dense_resource<w9> : tensor<144x48xf32>
    %cst_19 = arith.constant dense_resource<w10> : tensor<48xf32>
    %cst_20 = arith.constant dense_resource<w11> : tensor<48xf32>
    %cst_21 = arith.constant 1.000000e-05 : f64
    %cst_22 = arith.constant 4.800000e+01 : f64
    %cst_23 = arith.constant 4.800000e+01 : f32
    %0 = tensor.empty() : tensor<1x12x48xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x12x48xf32>) outs(%0 : tensor<1x12x48xf64>) {
    ^bb0(%in: f32, %out: f64):
      %87 = arith.extf %in : f32 to f64
      linalg.yield %87 : f64
    } -> tensor<1x12x48xf64>
    %2 = tensor.empty() : tensor<1x12x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x12x1xf64>) -> tensor<1x12x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x12x48xf64>) outs(%3 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x12x1xf64>) outs(%2 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x12x48xf64>, tensor<1x12x1xf64>) outs(%0 : tensor<1x12x48xf64>) {
    ^bb0(%in: f64, %in_51: f64, %out: f64):
      %87 = arith.subf %in, %in_51 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x48xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x12x48xf64>, tensor<1x12x48xf64>) outs(%0 : tensor<1x12x48xf64>) {
    ^bb0(%in: f64, %in_51: f64, %out: f64):
      %87 = arith.mulf %in, %in_51 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x48xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x12x48xf64>) outs(%3 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x12x1xf64>) outs(%2 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %10 = tensor.empty() : tensor<1x12x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x12x1xf64>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %87 = arith.truncf %in : f64 to f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x12x48xf32>) outs(%12 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x12x1xf32>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_23 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x12x1xf32>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_21 : f64 to f32
      %88 = arith.addf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<1x12x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x12x1xf32>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.rsqrt %in : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %17 = tensor.empty() : tensor<1x12x48xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x12x48xf32>, tensor<1x12x1xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.subf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x12x48xf32>, tensor<1x12x1xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.mulf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %cst_20 : tensor<1x12x48xf32>, tensor<48xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.mulf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_19 : tensor<1x12x48xf32>, tensor<48xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<1x12x48xf32> into tensor<12x48xf32>
    %22 = tensor.empty() : tensor<48x144xf32>
    %transposed = linalg.transpose ins(%cst_18 : tensor<144x48xf32>) outs(%22 : tensor<48x144xf32>) permutation = [1, 0] 
    %23 = tensor.empty() : tensor<12x144xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<12x144xf32>) -> tensor<12x144xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<12x48xf32>, tensor<48x144xf32>) outs(%24 : tensor<12x144xf32>) -> tensor<12x144xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25, %cst_17 : tensor<12x144xf32>, tensor<144xf32>) outs(%23 : tensor<12x144xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<12x144xf32>
    %expanded = tensor.expand_shape %26 [[0, 1], [2]] output_shape [1, 12, 144] : tensor<12x144xf32> into tensor<1x12x144xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [1, 12, 48] [1, 1, 1] : tensor<1x12x144xf32> to tensor<1x12x48xf32>
    %extracted_slice_24 = tensor.extract_slice %expanded[0, 0, 48] [1, 12, 48] [1, 1, 1] : tensor<1x12x144xf32> to tensor<1x12x48xf32>
    %extracted_slice_25 = tensor.extract_slice %expanded[0, 0, 96] [1, 12, 48] [1, 1, 1] : tensor<1x12x144xf32> to tensor<1x12x48xf32>
    %expanded_26 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 12, 4, 12] : tensor<1x12x48xf32> into tensor<1x12x4x12xf32>
    %27 = tensor.empty() : tensor<1x4x12x12xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<1x12x4x12xf32>) outs(%27 : tensor<1x4x12x12xf32>) permutation = [0, 2, 1, 3] 
    %expanded_28 = tensor.expand_shape %extracted_slice_24 [[0], [1], [2, 3]] output_shape [1, 12, 4, 12] : tensor<1x12x48xf32> into tensor<1x12x4x12xf32>
    %expanded_29 = tensor.expand_shape %extracted_slice_25 [[0], [1], [2, 3]] output_shape [1, 12, 4, 12] : tensor<1x12x48xf32> into tensor<1x12x4x12xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x12x4x12xf32>) outs(%27 : tensor<1x4x12x12xf32>) permutation = [0, 2, 1, 3] 
    %transposed_31 = linalg.transpose ins(%expanded_28 : tensor<1x12x4x12xf32>) outs(%27 : tensor<1x4x12x12xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_32 = tensor.collapse_shape %transposed_27 [[0, 1], [2], [3]] : tensor<1x4x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_33 = tensor.collapse_shape %transposed_31 [[0, 1], [2], [3]] : tensor<1x4x12x12xf32> into tensor<4x12x12xf32>
    %28 = tensor.empty() : tensor<4x12x12xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %30 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<4x12x12xf32>, tensor<4x12x12xf32>) outs(%29 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_34 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 4, 12, 12] : tensor<4x12x12xf32> into tensor<1x4x12x12xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<1x4x12x12xf32>) outs(%27 : tensor<1x4x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_16 : f64 to f32
      %88 = arith.divf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<1x4x12x12xf32>
    %32 = tensor.empty() : tensor<12xi64>
    %33 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%32 : tensor<12xi64>) {
    ^bb0(%out: i64):
      %87 = linalg.index 0 : index
      %88 = arith.index_cast %87 : index to i64
      linalg.yield %88 : i64
    } -> tensor<12xi64>
    %expanded_35 = tensor.expand_shape %33 [[0, 1]] output_shape [1, 12] : tensor<12xi64> into tensor<1x12xi64>
    %expanded_36 = tensor.expand_shape %33 [[0, 1]] output_shape [12, 1] : tensor<12xi64> into tensor<12x1xi64>
    %34 = tensor.empty() : tensor<12x12xi64>
    %35 = linalg.generic {indexing_maps = [#map7, #map8, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_35, %expanded_36 : tensor<1x12xi64>, tensor<12x1xi64>) outs(%34 : tensor<12x12xi64>) {
    ^bb0(%in: i64, %in_51: i64, %out: i64):
      %87 = arith.subi %in, %in_51 : i64
      linalg.yield %87 : i64
    } -> tensor<12x12xi64>
    %36 = tensor.empty() : tensor<12x12xi1>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<12x12xi64>) outs(%36 : tensor<12x12xi1>) {
    ^bb0(%in: i64, %out: i1):
      %87 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %87 : i1
    } -> tensor<12x12xi1>
    %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%37, %cst_7 : tensor<12x12xi1>, tensor<12x12xi1>) outs(%36 : tensor<12x12xi1>) {
    ^bb0(%in: i1, %in_51: i1, %out: i1):
      %87 = arith.andi %in, %in_51 : i1
      linalg.yield %87 : i1
    } -> tensor<12x12xi1>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<12x12xi1>) outs(%36 : tensor<12x12xi1>) {
    ^bb0(%in: i1, %out: i1):
      %87 = arith.xori %in, %true : i1
      linalg.yield %87 : i1
    } -> tensor<12x12xi1>
    %40 = linalg.generic {indexing_maps = [#map9, #map10, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %cst_6, %31 : tensor<12x12xi1>, tensor<f32>, tensor<1x4x12x12xf32>) outs(%27 : tensor<1x4x12x12xf32>) {
    ^bb0(%in: i1, %in_51: f32, %in_52: f32, %out: f32):
      %87 = arith.select %in, %in_51, %in_52 : f32
      linalg.yield %87 : f32
    } -> tensor<1x4x12x12xf32>
    %41 = tensor.empty() : tensor<1x4x12xi64>
    %42 = linalg.fill ins(%c0_i64 : i64) outs(%41 : tensor<1x4x12xi64>) -> tensor<1x4x12xi64>
    %43 = tensor.empty() : tensor<1x4x12xf32>
    %44 = linalg.fill ins(%cst_1 : f32) outs(%43 : tensor<1x4x12xf32>) -> tensor<1x4x12xf32>
    %45:2 = linalg.generic {indexing_maps = [#map5, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x4x12x12xf32>) outs(%44, %42 : tensor<1x4x12xf32>, tensor<1x4x12xi64>) {
    ^bb0(%in: f32, %out: f32, %out_51: i64):
      %87 = linalg.index 3 : index
      %88 = arith.index_cast %87 : index to i64
      %89 = arith.maximumf %in, %out : f32
      %90 = arith.cmpf ogt, %in, %out : f32
      %91 = arith.select %90, %88, %out_51 : i64
      linalg.yield %89, %91 : f32, i64
    } -> (tensor<1x4x12xf32>, tensor<1x4x12xi64>)
    %expanded_37 = tensor.expand_shape %45#0 [[0], [1], [2, 3]] output_shape [1, 4, 12, 1] : tensor<1x4x12xf32> into tensor<1x4x12x1xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %expanded_37 : tensor<1x4x12x12xf32>, tensor<1x4x12x1xf32>) outs(%27 : tensor<1x4x12x12xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.subf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x4x12x12xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x4x12x12xf32>) outs(%27 : tensor<1x4x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.exp %in : f32
      linalg.yield %87 : f32
    } -> tensor<1x4x12x12xf32>
    %48 = tensor.empty() : tensor<1x4x12x1xf32>
    %49 = linalg.fill ins(%cst_0 : f32) outs(%48 : tensor<1x4x12x1xf32>) -> tensor<1x4x12x1xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<1x4x12x12xf32>) outs(%49 : tensor<1x4x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<1x4x12x1xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %50 : tensor<1x4x12x12xf32>, tensor<1x4x12x1xf32>) outs(%27 : tensor<1x4x12x12xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.divf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x4x12x12xf32>
    %collapsed_38 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x4x12x12xf32> into tensor<4x12x12xf32>
    %collapsed_39 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<1x4x12x12xf32> into tensor<4x12x12xf32>
    %52 = linalg.batch_matmul ins(%collapsed_38, %collapsed_39 : tensor<4x12x12xf32>, tensor<4x12x12xf32>) outs(%29 : tensor<4x12x12xf32>) -> tensor<4x12x12xf32>
    %expanded_40 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 4, 12, 12] : tensor<4x12x12xf32> into tensor<1x4x12x12xf32>
    %53 = tensor.empty() : tensor<1x12x4x12xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<1x4x12x12xf32>) outs(%53 : tensor<1x12x4x12xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_42 = tensor.collapse_shape %transposed_41 [[0, 1], [2, 3]] : tensor<1x12x4x12xf32> into tensor<12x48xf32>
    %54 = tensor.empty() : tensor<48x48xf32>
    %transposed_43 = linalg.transpose ins(%cst_15 : tensor<48x48xf32>) outs(%54 : tensor<48x48xf32>) permutation = [1, 0] 
    %55 = tensor.empty() : tensor<12x48xf32>
    %56 = linalg.fill ins(%cst_0 : f32) outs(%55 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %57 = linalg.matmul ins(%collapsed_42, %transposed_43 : tensor<12x48xf32>, tensor<48x48xf32>) outs(%56 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%57, %cst_14 : tensor<12x48xf32>, tensor<48xf32>) outs(%55 : tensor<12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<12x48xf32>
    %expanded_44 = tensor.expand_shape %58 [[0, 1], [2]] output_shape [1, 12, 48] : tensor<12x48xf32> into tensor<1x12x48xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_44 : tensor<1x12x48xf32>, tensor<1x12x48xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x12x48xf32>) outs(%0 : tensor<1x12x48xf64>) {
    ^bb0(%in: f32, %out: f64):
      %87 = arith.extf %in : f32 to f64
      linalg.yield %87 : f64
    } -> tensor<1x12x48xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%60 : tensor<1x12x48xf64>) outs(%3 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x12x1xf64>) outs(%2 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %62 : tensor<1x12x48xf64>, tensor<1x12x1xf64>) outs(%0 : tensor<1x12x48xf64>) {
    ^bb0(%in: f64, %in_51: f64, %out: f64):
      %87 = arith.subf %in, %in_51 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x48xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %63 : tensor<1x12x48xf64>, tensor<1x12x48xf64>) outs(%0 : tensor<1x12x48xf64>) {
    ^bb0(%in: f64, %in_51: f64, %out: f64):
      %87 = arith.mulf %in, %in_51 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x48xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<1x12x48xf64>) outs(%3 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x12x1xf64>) outs(%2 : tensor<1x12x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x12x1xf64>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<1x12x1xf64>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %87 = arith.truncf %in : f64 to f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<1x12x48xf32>) outs(%12 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<1x12x1xf32>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_23 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x12x1xf32>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_21 : f64 to f32
      %88 = arith.addf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<1x12x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x12x1xf32>) outs(%10 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.rsqrt %in : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %69 : tensor<1x12x48xf32>, tensor<1x12x1xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.subf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %71 : tensor<1x12x48xf32>, tensor<1x12x1xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.mulf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %cst_13 : tensor<1x12x48xf32>, tensor<48xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.mulf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %cst_12 : tensor<1x12x48xf32>, tensor<48xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    %collapsed_45 = tensor.collapse_shape %75 [[0, 1], [2]] : tensor<1x12x48xf32> into tensor<12x48xf32>
    %76 = tensor.empty() : tensor<48x192xf32>
    %transposed_46 = linalg.transpose ins(%cst_11 : tensor<192x48xf32>) outs(%76 : tensor<48x192xf32>) permutation = [1, 0] 
    %77 = tensor.empty() : tensor<12x192xf32>
    %78 = linalg.fill ins(%cst_0 : f32) outs(%77 : tensor<12x192xf32>) -> tensor<12x192xf32>
    %79 = linalg.matmul ins(%collapsed_45, %transposed_46 : tensor<12x48xf32>, tensor<48x192xf32>) outs(%78 : tensor<12x192xf32>) -> tensor<12x192xf32>
    %80 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%79, %cst_10 : tensor<12x192xf32>, tensor<192xf32>) outs(%77 : tensor<12x192xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<12x192xf32>
    %expanded_47 = tensor.expand_shape %80 [[0, 1], [2]] output_shape [1, 12, 192] : tensor<12x192xf32> into tensor<1x12x192xf32>
    %81 = tensor.empty() : tensor<1x12x192xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47 : tensor<1x12x192xf32>) outs(%81 : tensor<1x12x192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.fpowi %in, %c3_i64 : f32, i64
      %88 = arith.mulf %87, %cst_2 : f32
      %89 = arith.addf %in, %88 : f32
      %90 = arith.mulf %89, %cst_3 : f32
      %91 = math.tanh %90 : f32
      %92 = arith.addf %91, %cst_4 : f32
      %93 = arith.mulf %92, %cst_5 : f32
      %94 = arith.mulf %in, %93 : f32
      linalg.yield %94 : f32
    } -> tensor<1x12x192xf32>
    %collapsed_48 = tensor.collapse_shape %82 [[0, 1], [2]] : tensor<1x12x192xf32> into tensor<12x192xf32>
    %83 = tensor.empty() : tensor<192x48xf32>
    %transposed_49 = linalg.transpose ins(%cst_9 : tensor<48x192xf32>) outs(%83 : tensor<192x48xf32>) permutation = [1, 0] 
    %84 = linalg.matmul ins(%collapsed_48, %transposed_49 : tensor<12x192xf32>, tensor<192x48xf32>) outs(%56 : tensor<12x48xf32>) -> tensor<12x48xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%84, %cst_8 : tensor<12x48xf32>, tensor<48xf32>) outs(%55 : tensor<12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<12x48xf32>
    %expanded_50 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [1, 12, 48] : tensor<12x48xf32> into tensor<1x12x48xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %expanded_50 : tensor<1x12x48xf32>, tensor<1x12x48xf32>) outs(%17 : tensor<1x12x48xf32>) {
    ^bb0(%in: f32, %in_51: f32, %out: f32):
      %87 = arith.addf %in, %in_51 : f32
      linalg.yield %87 : f32
    } -> tensor<1x12x48xf32>
    return %86 : tensor<1x12x48xf32>
  }
}

