// {"inputs": [{"seed": 320011037, "shape": [1, 8, 10, 10], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 900110507, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1086476525, "shape": [8], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w2": {"seed": 1010396486, "shape": [8], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w3": {"seed": 116737994, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w4": {"seed": 1318630719, "shape": [8, 24, 1, 1], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w5": {"seed": 2130332430, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w6": {"seed": 208162931, "shape": [24], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w7": {"seed": 1638905027, "shape": [24], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w8": {"seed": 469411516, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w9": {"seed": 36877729, "shape": [24, 1, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w10": {"seed": 2020489632, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w11": {"seed": 48715664, "shape": [24], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w12": {"seed": 1550178317, "shape": [24], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w13": {"seed": 1738244967, "shape": [24], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w14": {"seed": 213758530, "shape": [24, 8, 1, 1], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 27.6, "sum": 42.8, "approximate": 31.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<6.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense_resource<w0> : tensor<8xf32>
    %cst_4 = arith.constant dense_resource<w1> : tensor<8xf32>
    %cst_5 = arith.constant dense_resource<w2> : tensor<8xf32>
    %cst_6 = arith.constant dense_resource<w3> : tensor<8xf32>
    %cst_7 = arith.constant dense_resource<w4> : tensor<8x24x1x1xf32>
    %cst_8 = arith.constant dense_resource<w5> : tensor<24xf32>
    %cst_9 = arith.constant dense_resource<w6> : tensor<24xf32>
    %cst_10 = arith.constant dense_resource<w7> : tensor<24xf32>
    %cst_11 = arith.constant dense_resource<w8> : tensor<24xf32>
    %cst_12 = arith.constant dense_resource<w9> : tensor<24x1x3x3xf32>
    %cst_13 = arith.constant dense_resource<w10> : tensor<24xf32>
    %cst_14 = arith.constant dense_resource<w11> : tensor<24xf32>
    %cst_15 = arith.constant 1.000000e-05 : f64
    %cst_16 = arith.constant dense_resource<w12> : tensor<24xf32>
    %cst_17 = arith.constant dense_resource<w13> : tensor<24xf32>
    %cst_18 = arith.constant dense_resource<w14> : tensor<24x8x1x1xf32>
    %0 = tensor.empty() : tensor<1x24x10x10xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x24x10x10xf32>) -> tensor<1x24x10x10xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %cst_18 : tensor<1x8x10x10xf32>, tensor<24x8x1x1xf32>) outs(%1 : tensor<1x24x10x10xf32>) -> tensor<1x24x10x10xf32>
    %3 = tensor.empty() : tensor<24xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_16 : tensor<24xf32>) outs(%3 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_15 : f64 to f32
      %36 = arith.addf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<24xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<24xf32>) outs(%3 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.sqrt %in : f32
      linalg.yield %35 : f32
    } -> tensor<24xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<24xf32>) outs(%3 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.cmpf one, %in, %cst : f32
      cf.assert %35, "unimplemented: tensor with zero element"
      %36 = arith.divf %cst_0, %in : f32
      linalg.yield %36 : f32
    } -> tensor<24xf32>
    %expanded = tensor.expand_shape %cst_17 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %expanded_19 = tensor.expand_shape %6 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.subf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_19 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.mulf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %expanded_20 = tensor.expand_shape %cst_14 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_20 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.mulf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %expanded_21 = tensor.expand_shape %cst_13 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %expanded_21 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.addf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %cst_2 : tensor<1x24x10x10xf32>, tensor<f32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.cmpf ogt, %in, %in_30 : f32
      %36 = arith.select %35, %in, %in_30 : f32
      linalg.yield %36 : f32
    } -> tensor<1x24x10x10xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1, %11 : tensor<f32>, tensor<1x24x10x10xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.cmpf olt, %in, %in_30 : f32
      %36 = arith.select %35, %in, %in_30 : f32
      linalg.yield %36 : f32
    } -> tensor<1x24x10x10xf32>
    %padded = tensor.pad %12 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x24x10x10xf32> to tensor<1x24x12x12xf32>
    %collapsed = tensor.collapse_shape %cst_12 [[0, 1], [2], [3]] : tensor<24x1x3x3xf32> into tensor<24x3x3xf32>
    %13 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %collapsed : tensor<1x24x12x12xf32>, tensor<24x3x3xf32>) outs(%1 : tensor<1x24x10x10xf32>) -> tensor<1x24x10x10xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_10 : tensor<24xf32>) outs(%3 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_15 : f64 to f32
      %36 = arith.addf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<24xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<24xf32>) outs(%3 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.sqrt %in : f32
      linalg.yield %35 : f32
    } -> tensor<24xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%15 : tensor<24xf32>) outs(%3 : tensor<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.cmpf one, %in, %cst : f32
      cf.assert %35, "unimplemented: tensor with zero element"
      %36 = arith.divf %cst_0, %in : f32
      linalg.yield %36 : f32
    } -> tensor<24xf32>
    %expanded_22 = tensor.expand_shape %cst_11 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %expanded_23 = tensor.expand_shape %16 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %expanded_22 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.subf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_23 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.mulf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %expanded_24 = tensor.expand_shape %cst_9 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_24 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.mulf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %expanded_25 = tensor.expand_shape %cst_8 [[0, 1, 2]] output_shape [24, 1, 1] : tensor<24xf32> into tensor<24x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_25 : tensor<1x24x10x10xf32>, tensor<24x1x1xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.addf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x24x10x10xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %cst_2 : tensor<1x24x10x10xf32>, tensor<f32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.cmpf ogt, %in, %in_30 : f32
      %36 = arith.select %35, %in, %in_30 : f32
      linalg.yield %36 : f32
    } -> tensor<1x24x10x10xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1, %21 : tensor<f32>, tensor<1x24x10x10xf32>) outs(%0 : tensor<1x24x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.cmpf olt, %in, %in_30 : f32
      %36 = arith.select %35, %in, %in_30 : f32
      linalg.yield %36 : f32
    } -> tensor<1x24x10x10xf32>
    %23 = tensor.empty() : tensor<1x8x10x10xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    %25 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%22, %cst_7 : tensor<1x24x10x10xf32>, tensor<8x24x1x1xf32>) outs(%24 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
    %26 = tensor.empty() : tensor<8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_5 : tensor<8xf32>) outs(%26 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_15 : f64 to f32
      %36 = arith.addf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<8xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%27 : tensor<8xf32>) outs(%26 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.sqrt %in : f32
      linalg.yield %35 : f32
    } -> tensor<8xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%28 : tensor<8xf32>) outs(%26 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.cmpf one, %in, %cst : f32
      cf.assert %35, "unimplemented: tensor with zero element"
      %36 = arith.divf %cst_0, %in : f32
      linalg.yield %36 : f32
    } -> tensor<8xf32>
    %expanded_26 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_27 = tensor.expand_shape %29 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %expanded_26 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%23 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.subf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x10x10xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %expanded_27 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%23 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.mulf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_28 = tensor.expand_shape %cst_4 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %expanded_28 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%23 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.mulf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x10x10xf32>
    %expanded_29 = tensor.expand_shape %cst_3 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %expanded_29 : tensor<1x8x10x10xf32>, tensor<8x1x1xf32>) outs(%23 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.addf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x10x10xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %33 : tensor<1x8x10x10xf32>, tensor<1x8x10x10xf32>) outs(%23 : tensor<1x8x10x10xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.addf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<1x8x10x10xf32>
    return %34 : tensor<1x8x10x10xf32>
  }
}

