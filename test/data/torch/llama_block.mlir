// {"inputs": [{"seed": 1704046727, "shape": [1, 10, 32], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 220257441, "shape": [32, 80], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w1": {"seed": 998240440, "shape": [80, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w2": {"seed": 1861003904, "shape": [80, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 1305758180, "shape": [32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w4": {"seed": 1650192532, "shape": [32, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w7": {"seed": 28301972, "shape": [16, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w8": {"seed": 1712455278, "shape": [16, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w9": {"seed": 191550349, "shape": [32, 32], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w10": {"seed": 1423775838, "shape": [32], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {"w5": "040000000000000000000000000000000000000000000000000000000000000000000000A46A573F7775CC3D57D6233C6E12833AA46A573F7775CC3D57D6233C6E12833AB7C7683FF96F4B3E3ED4A33C6912033BB7C7683FF96F4B3E3ED4A33C6912033BC381103E6D4E973E1FB9F53C939B443BC381103E6D4E973E1FB9F53C939B443BCFBD41BFD861C73EDBCB233D5812833BCFBD41BFD861C73EDBCB233D5812833B107C75BF4477F53EF4B64C3DDED6A33B107C75BF4477F53EF4B64C3DDED6A33B8C0F8FBE698C103FD19C753D599BC43B8C0F8FBE698C103FD19C753D599BC43B4630283F73EB243F323E8F3DC75FE53B4630283F73EB243F323E8F3DC75FE53B95467D3FA6A4373F50AAA33D1312033C95467D3FA6A4373F50AAA33D1312033C3201D33E1D88483F3E12B83D3B74133C3201D33E1D88483F3E12B83D3B74133C", "w6": "040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F41510A3F98B87E3FB9FC7F3FF8FF7F3F41510A3F98B87E3FB9FC7F3FF8FF7F3F3311D5BEA5E57A3FE5F27F3FDFFF7F3F3311D5BEA5E57A3FE5F27F3FDFFF7F3F26707DBFEF90743F83E27F3FB5FF7F3F26707DBFEF90743F83E27F3FB5FF7F3F305527BFA7CA6B3F94CB7F3F7AFF7F3F305527BFA7CA6B3F94CB7F3F7AFF7F3F2C3C913E40A9603F19AE7F3F2EFF7F3F2C3C913E40A9603F19AE7F3F2EFF7F3FB8CD753F3249533F128A7F3FD2FE7F3FB8CD753F3249533F128A7F3FD2FE7F3FBDFF403FB3CC433F815F7F3F65FE7F3FBDFF403FB3CC433F815F7F3F65FE7F3FF6FD14BE5F5B323F652E7F3FE7FD7F3FF6FD14BE5F5B323F652E7F3FE7FD7F3FD53F69BFD4211F3FC2F67E3F59FD7F3FD53F69BFD4211F3FC2F67E3F59FD7F3F"}, "sums": "float32", "reactions": [{"round": 8.45, "sum": 35.6, "approximate": 6.25}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (0, d1)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x10x32xf32>) -> tensor<1x10x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x4x10x10xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<10x10xi1>
    %cst_6 = arith.constant dense_resource<w0> : tensor<32x80xf32>
    %cst_7 = arith.constant dense_resource<w1> : tensor<80x32xf32>
    %cst_8 = arith.constant dense_resource<w2> : tensor<80x32xf32>
    %cst_9 = arith.constant dense_resource<w3> : tensor<32xf32>
    %cst_10 = arith.constant dense_resource<w4> : tensor<32x32xf32>
    %cst_11 = arith.constant 0xFFF0000000000000 : f64
    %cst_12 = arith.constant 0.59460355750136051 : f64
    %cst_13 = arith.constant dense_resource<w5> : tensor<10x8xf32>
    %cst_14 = arith.constant dense_resource<w6> : tensor<10x8xf32>
    %cst_15 = arith.constant dense_resource<w7> : tensor<16x32xf32>
    %cst_16 = arith.constant dense_resource<w8> : tensor<16x32xf32>
    %cst_17 = arith.constant dense_resource<w9> : tensor<32x32xf32>
    %cst_18 = arith.constant dense_resource<w10> : tensor<32xf32>
    %cst_19 = arith.constant 1.000000e-05 : f64
    %cst_20 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<1x10x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x10x32xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %2 = tensor.empty() : tensor<1x10x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x10x1xf32>) -> tensor<1x10x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x10x32xf32>) outs(%3 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %out : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x10x1xf32>) outs(%2 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_20 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x10x1xf32>) outs(%2 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.truncf %cst_19 : f64 to f32
      %94 = arith.addf %in, %93 : f32
      linalg.yield %94 : f32
    } -> tensor<1x10x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x10x1xf32>) outs(%2 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.rsqrt %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<1x10x32xf32>, tensor<1x10x1xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %cst_18 : tensor<1x10x32xf32>, tensor<32xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %10 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%cst_17 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2]] : tensor<1x10x32xf32> into tensor<10x32xf32>
    %11 = tensor.empty() : tensor<10x32xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %13 = linalg.matmul ins(%collapsed, %transposed : tensor<10x32xf32>, tensor<32x32xf32>) outs(%12 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %expanded = tensor.expand_shape %13 [[0, 1], [2, 3]] output_shape [1, 10, 4, 8] : tensor<10x32xf32> into tensor<1x10x4x8xf32>
    %14 = tensor.empty() : tensor<1x4x10x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded : tensor<1x10x4x8xf32>) outs(%14 : tensor<1x4x10x8xf32>) permutation = [0, 2, 1, 3] 
    %15 = tensor.empty() : tensor<32x16xf32>
    %transposed_22 = linalg.transpose ins(%cst_16 : tensor<16x32xf32>) outs(%15 : tensor<32x16xf32>) permutation = [1, 0] 
    %16 = tensor.empty() : tensor<10x16xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %18 = linalg.matmul ins(%collapsed, %transposed_22 : tensor<10x32xf32>, tensor<32x16xf32>) outs(%17 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %expanded_23 = tensor.expand_shape %18 [[0, 1], [2, 3]] output_shape [1, 10, 2, 8] : tensor<10x16xf32> into tensor<1x10x2x8xf32>
    %19 = tensor.empty() : tensor<1x2x10x8xf32>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<1x10x2x8xf32>) outs(%19 : tensor<1x2x10x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_25 = linalg.transpose ins(%cst_15 : tensor<16x32xf32>) outs(%15 : tensor<32x16xf32>) permutation = [1, 0] 
    %20 = linalg.matmul ins(%collapsed, %transposed_25 : tensor<10x32xf32>, tensor<32x16xf32>) outs(%17 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %expanded_26 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [1, 10, 2, 8] : tensor<10x16xf32> into tensor<1x10x2x8xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<1x10x2x8xf32>) outs(%19 : tensor<1x2x10x8xf32>) permutation = [0, 2, 1, 3] 
    %21 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24, %cst_14 : tensor<1x2x10x8xf32>, tensor<10x8xf32>) outs(%19 : tensor<1x2x10x8xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x10x8xf32>
    %extracted_slice = tensor.extract_slice %transposed_24[0, 0, 0, 4] [1, 2, 10, 4] [1, 1, 1, 1] : tensor<1x2x10x8xf32> to tensor<1x2x10x4xf32>
    %22 = tensor.empty() : tensor<1x2x10x4xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x2x10x4xf32>) outs(%22 : tensor<1x2x10x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.negf %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x10x4xf32>
    %extracted_slice_28 = tensor.extract_slice %transposed_24[0, 0, 0, 0] [1, 2, 10, 4] [1, 1, 1, 1] : tensor<1x2x10x8xf32> to tensor<1x2x10x4xf32>
    %concat = tensor.concat dim(3) %23, %extracted_slice_28 : (tensor<1x2x10x4xf32>, tensor<1x2x10x4xf32>) -> tensor<1x2x10x8xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %cst_13 : tensor<1x2x10x8xf32>, tensor<10x8xf32>) outs(%19 : tensor<1x2x10x8xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x10x8xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<1x2x10x8xf32>, tensor<1x2x10x8xf32>) outs(%19 : tensor<1x2x10x8xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.addf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x2x10x8xf32>
    %26 = tensor.empty() : tensor<1x2x2x10x8xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x10x8xf32>) outs(%26 : tensor<1x2x2x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x10x8xf32>
    %collapsed_29 = tensor.collapse_shape %27 [[0], [1, 2], [3], [4]] : tensor<1x2x2x10x8xf32> into tensor<1x4x10x8xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_27 : tensor<1x2x10x8xf32>) outs(%26 : tensor<1x2x2x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x10x8xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21, %cst_14 : tensor<1x4x10x8xf32>, tensor<10x8xf32>) outs(%14 : tensor<1x4x10x8xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x8xf32>
    %extracted_slice_30 = tensor.extract_slice %transposed_21[0, 0, 0, 4] [1, 4, 10, 4] [1, 1, 1, 1] : tensor<1x4x10x8xf32> to tensor<1x4x10x4xf32>
    %30 = tensor.empty() : tensor<1x4x10x4xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_30 : tensor<1x4x10x4xf32>) outs(%30 : tensor<1x4x10x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.negf %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x4xf32>
    %extracted_slice_31 = tensor.extract_slice %transposed_21[0, 0, 0, 0] [1, 4, 10, 4] [1, 1, 1, 1] : tensor<1x4x10x8xf32> to tensor<1x4x10x4xf32>
    %concat_32 = tensor.concat dim(3) %31, %extracted_slice_31 : (tensor<1x4x10x4xf32>, tensor<1x4x10x4xf32>) -> tensor<1x4x10x8xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_32, %cst_13 : tensor<1x4x10x8xf32>, tensor<10x8xf32>) outs(%14 : tensor<1x4x10x8xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x8xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<1x4x10x8xf32>, tensor<1x4x10x8xf32>) outs(%14 : tensor<1x4x10x8xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.addf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x8xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x4x10x8xf32>) outs(%14 : tensor<1x4x10x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.truncf %cst_12 : f64 to f32
      %94 = arith.mulf %in, %93 : f32
      linalg.yield %94 : f32
    } -> tensor<1x4x10x8xf32>
    %35 = tensor.empty() : tensor<10xi64>
    %36 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%35 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %93 = linalg.index 0 : index
      %94 = arith.index_cast %93 : index to i64
      linalg.yield %94 : i64
    } -> tensor<10xi64>
    %expanded_33 = tensor.expand_shape %36 [[0, 1]] output_shape [1, 10] : tensor<10xi64> into tensor<1x10xi64>
    %expanded_34 = tensor.expand_shape %36 [[0, 1]] output_shape [10, 1] : tensor<10xi64> into tensor<10x1xi64>
    %37 = tensor.empty() : tensor<10x10xi64>
    %38 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%expanded_33, %expanded_34 : tensor<1x10xi64>, tensor<10x1xi64>) outs(%37 : tensor<10x10xi64>) {
    ^bb0(%in: i64, %in_55: i64, %out: i64):
      %93 = arith.subi %in, %in_55 : i64
      linalg.yield %93 : i64
    } -> tensor<10x10xi64>
    %39 = tensor.empty() : tensor<10x10xi1>
    %40 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<10x10xi64>) outs(%39 : tensor<10x10xi1>) {
    ^bb0(%in: i64, %out: i1):
      %93 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %93 : i1
    } -> tensor<10x10xi1>
    %41 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%40, %cst_5 : tensor<10x10xi1>, tensor<10x10xi1>) outs(%39 : tensor<10x10xi1>) {
    ^bb0(%in: i1, %in_55: i1, %out: i1):
      %93 = arith.andi %in, %in_55 : i1
      linalg.yield %93 : i1
    } -> tensor<10x10xi1>
    %42 = tensor.empty() : tensor<10x10xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map11, #map11, #map10], iterator_types = ["parallel", "parallel"]} ins(%41, %cst_3, %cst_4 : tensor<10x10xi1>, tensor<f32>, tensor<f32>) outs(%42 : tensor<10x10xf32>) {
    ^bb0(%in: i1, %in_55: f32, %in_56: f32, %out: f32):
      %93 = arith.select %in, %in_55, %in_56 : f32
      linalg.yield %93 : f32
    } -> tensor<10x10xf32>
    %44 = tensor.empty() : tensor<1x4x8x10xf32>
    %transposed_35 = linalg.transpose ins(%collapsed_29 : tensor<1x4x10x8xf32>) outs(%44 : tensor<1x4x8x10xf32>) permutation = [0, 1, 3, 2] 
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_35 : tensor<1x4x8x10xf32>) outs(%44 : tensor<1x4x8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.truncf %cst_12 : f64 to f32
      %94 = arith.mulf %in, %93 : f32
      linalg.yield %94 : f32
    } -> tensor<1x4x8x10xf32>
    %collapsed_36 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<1x4x10x8xf32> into tensor<4x10x8xf32>
    %collapsed_37 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x4x8x10xf32> into tensor<4x8x10xf32>
    %46 = tensor.empty() : tensor<4x10x10xf32>
    %47 = linalg.fill ins(%cst : f32) outs(%46 : tensor<4x10x10xf32>) -> tensor<4x10x10xf32>
    %48 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<4x10x8xf32>, tensor<4x8x10xf32>) outs(%47 : tensor<4x10x10xf32>) -> tensor<4x10x10xf32>
    %expanded_38 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [1, 4, 10, 10] : tensor<4x10x10xf32> into tensor<1x4x10x10xf32>
    %49 = tensor.empty() : tensor<1x4x10x10xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_38, %43 : tensor<1x4x10x10xf32>, tensor<10x10xf32>) outs(%49 : tensor<1x4x10x10xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.addf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x10xf32>
    %51 = tensor.empty() : tensor<1x4x10xi64>
    %52 = linalg.fill ins(%c0_i64 : i64) outs(%51 : tensor<1x4x10xi64>) -> tensor<1x4x10xi64>
    %53 = tensor.empty() : tensor<1x4x10xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%53 : tensor<1x4x10xf32>) -> tensor<1x4x10xf32>
    %55:2 = linalg.generic {indexing_maps = [#map3, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<1x4x10x10xf32>) outs(%54, %52 : tensor<1x4x10xf32>, tensor<1x4x10xi64>) {
    ^bb0(%in: f32, %out: f32, %out_55: i64):
      %93 = linalg.index 3 : index
      %94 = arith.index_cast %93 : index to i64
      %95 = arith.maximumf %in, %out : f32
      %96 = arith.cmpf ogt, %in, %out : f32
      %97 = arith.select %96, %94, %out_55 : i64
      linalg.yield %95, %97 : f32, i64
    } -> (tensor<1x4x10xf32>, tensor<1x4x10xi64>)
    %expanded_39 = tensor.expand_shape %55#0 [[0], [1], [2, 3]] output_shape [1, 4, 10, 1] : tensor<1x4x10xf32> into tensor<1x4x10x1xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %expanded_39 : tensor<1x4x10x10xf32>, tensor<1x4x10x1xf32>) outs(%49 : tensor<1x4x10x10xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.subf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x10xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x4x10x10xf32>) outs(%49 : tensor<1x4x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.exp %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x10xf32>
    %58 = tensor.empty() : tensor<1x4x10x1xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<1x4x10x1xf32>) -> tensor<1x4x10x1xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<1x4x10x10xf32>) outs(%59 : tensor<1x4x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %out : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x1xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %60 : tensor<1x4x10x10xf32>, tensor<1x4x10x1xf32>) outs(%49 : tensor<1x4x10x10xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.divf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x10xf32>
    %62 = tensor.empty() : tensor<1x4x10x10xi1>
    %63 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x4x10x10xf32>) outs(%62 : tensor<1x4x10x10xi1>) {
    ^bb0(%in: f32, %out: i1):
      %93 = arith.extf %in : f32 to f64
      %94 = arith.cmpf oeq, %93, %cst_11 : f64
      linalg.yield %94 : i1
    } -> tensor<1x4x10x10xi1>
    %64 = tensor.empty() : tensor<1x4x10x1xi1>
    %65 = linalg.fill ins(%true : i1) outs(%64 : tensor<1x4x10x1xi1>) -> tensor<1x4x10x1xi1>
    %66 = linalg.generic {indexing_maps = [#map3, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x4x10x10xi1>) outs(%65 : tensor<1x4x10x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %93 = arith.andi %in, %out : i1
      linalg.yield %93 : i1
    } -> tensor<1x4x10x1xi1>
    %67 = linalg.generic {indexing_maps = [#map13, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %cst_2, %61 : tensor<1x4x10x1xi1>, tensor<1x4x10x10xf32>, tensor<1x4x10x10xf32>) outs(%49 : tensor<1x4x10x10xf32>) {
    ^bb0(%in: i1, %in_55: f32, %in_56: f32, %out: f32):
      %93 = arith.select %in, %in_55, %in_56 : f32
      linalg.yield %93 : f32
    } -> tensor<1x4x10x10xf32>
    %collapsed_40 = tensor.collapse_shape %67 [[0, 1], [2], [3]] : tensor<1x4x10x10xf32> into tensor<4x10x10xf32>
    %collapsed_41 = tensor.collapse_shape %28 [[0, 1, 2], [3], [4]] : tensor<1x2x2x10x8xf32> into tensor<4x10x8xf32>
    %68 = tensor.empty() : tensor<4x10x8xf32>
    %69 = linalg.fill ins(%cst : f32) outs(%68 : tensor<4x10x8xf32>) -> tensor<4x10x8xf32>
    %70 = linalg.batch_matmul ins(%collapsed_40, %collapsed_41 : tensor<4x10x10xf32>, tensor<4x10x8xf32>) outs(%69 : tensor<4x10x8xf32>) -> tensor<4x10x8xf32>
    %expanded_42 = tensor.expand_shape %70 [[0, 1], [2], [3]] output_shape [1, 4, 10, 8] : tensor<4x10x8xf32> into tensor<1x4x10x8xf32>
    %71 = tensor.empty() : tensor<1x10x4x8xf32>
    %transposed_43 = linalg.transpose ins(%expanded_42 : tensor<1x4x10x8xf32>) outs(%71 : tensor<1x10x4x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_44 = linalg.transpose ins(%cst_10 : tensor<32x32xf32>) outs(%10 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_45 = tensor.collapse_shape %transposed_43 [[0, 1], [2, 3]] : tensor<1x10x4x8xf32> into tensor<10x32xf32>
    %72 = linalg.matmul ins(%collapsed_45, %transposed_44 : tensor<10x32xf32>, tensor<32x32xf32>) outs(%12 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %expanded_46 = tensor.expand_shape %72 [[0, 1], [2]] output_shape [1, 10, 32] : tensor<10x32xf32> into tensor<1x10x32xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_46 : tensor<1x10x32xf32>, tensor<1x10x32xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.addf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x10x32xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%74 : tensor<1x10x32xf32>) outs(%3 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.addf %in, %out : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x10x1xf32>) outs(%2 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.divf %in, %cst_20 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x1xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x10x1xf32>) outs(%2 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.truncf %cst_19 : f64 to f32
      %94 = arith.addf %in, %93 : f32
      linalg.yield %94 : f32
    } -> tensor<1x10x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x10x1xf32>) outs(%2 : tensor<1x10x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = math.rsqrt %in : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x1xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %78 : tensor<1x10x32xf32>, tensor<1x10x1xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %cst_9 : tensor<1x10x32xf32>, tensor<32xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    %81 = tensor.empty() : tensor<32x80xf32>
    %transposed_47 = linalg.transpose ins(%cst_8 : tensor<80x32xf32>) outs(%81 : tensor<32x80xf32>) permutation = [1, 0] 
    %collapsed_48 = tensor.collapse_shape %80 [[0, 1], [2]] : tensor<1x10x32xf32> into tensor<10x32xf32>
    %82 = tensor.empty() : tensor<10x80xf32>
    %83 = linalg.fill ins(%cst : f32) outs(%82 : tensor<10x80xf32>) -> tensor<10x80xf32>
    %84 = linalg.matmul ins(%collapsed_48, %transposed_47 : tensor<10x32xf32>, tensor<32x80xf32>) outs(%83 : tensor<10x80xf32>) -> tensor<10x80xf32>
    %expanded_49 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [1, 10, 80] : tensor<10x80xf32> into tensor<1x10x80xf32>
    %85 = tensor.empty() : tensor<1x10x80xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_49 : tensor<1x10x80xf32>) outs(%85 : tensor<1x10x80xf32>) {
    ^bb0(%in: f32, %out: f32):
      %93 = arith.negf %in : f32
      %94 = math.exp %93 : f32
      %95 = arith.addf %94, %cst_1 : f32
      %96 = arith.divf %cst_1, %95 : f32
      linalg.yield %96 : f32
    } -> tensor<1x10x80xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_49, %86 : tensor<1x10x80xf32>, tensor<1x10x80xf32>) outs(%85 : tensor<1x10x80xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x80xf32>
    %transposed_50 = linalg.transpose ins(%cst_7 : tensor<80x32xf32>) outs(%81 : tensor<32x80xf32>) permutation = [1, 0] 
    %88 = linalg.matmul ins(%collapsed_48, %transposed_50 : tensor<10x32xf32>, tensor<32x80xf32>) outs(%83 : tensor<10x80xf32>) -> tensor<10x80xf32>
    %expanded_51 = tensor.expand_shape %88 [[0, 1], [2]] output_shape [1, 10, 80] : tensor<10x80xf32> into tensor<1x10x80xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %expanded_51 : tensor<1x10x80xf32>, tensor<1x10x80xf32>) outs(%85 : tensor<1x10x80xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.mulf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x80xf32>
    %90 = tensor.empty() : tensor<80x32xf32>
    %transposed_52 = linalg.transpose ins(%cst_6 : tensor<32x80xf32>) outs(%90 : tensor<80x32xf32>) permutation = [1, 0] 
    %collapsed_53 = tensor.collapse_shape %89 [[0, 1], [2]] : tensor<1x10x80xf32> into tensor<10x80xf32>
    %91 = linalg.matmul ins(%collapsed_53, %transposed_52 : tensor<10x80xf32>, tensor<80x32xf32>) outs(%12 : tensor<10x32xf32>) -> tensor<10x32xf32>
    %expanded_54 = tensor.expand_shape %91 [[0, 1], [2]] output_shape [1, 10, 32] : tensor<10x32xf32> into tensor<1x10x32xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %expanded_54 : tensor<1x10x32xf32>, tensor<1x10x32xf32>) outs(%0 : tensor<1x10x32xf32>) {
    ^bb0(%in: f32, %in_55: f32, %out: f32):
      %93 = arith.addf %in, %in_55 : f32
      linalg.yield %93 : f32
    } -> tensor<1x10x32xf32>
    return %92 : tensor<1x10x32xf32>
  }
}

