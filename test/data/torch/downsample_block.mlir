// {"inputs": [{"seed": 1324994441, "shape": [1, 8, 12, 12], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 679698759, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1986542480, "shape": [16], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w2": {"seed": 212824313, "shape": [16], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w3": {"seed": 1570471882, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w4": {"seed": 1742922991, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w5": {"seed": 224671167, "shape": [16, 16, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.0625}, "w6": {"seed": 773264361, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w7": {"seed": 2028420211, "shape": [16], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w8": {"seed": 828709943, "shape": [16], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w9": {"seed": 570055185, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w10": {"seed": 1635161665, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w11": {"seed": 65745500, "shape": [16, 8, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w12": {"seed": 1763852420, "shape": [16, 8, 1, 1], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w13": {"seed": 955674640, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 31.9, "sum": 687.0, "approximate": 33.4}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @main(%arg0: tensor<1x8x12x12xf32>) -> tensor<1x16x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<w0> : tensor<16xf32>
    %cst_2 = arith.constant dense_resource<w1> : tensor<16xf32>
    %cst_3 = arith.constant dense_resource<w2> : tensor<16xf32>
    %cst_4 = arith.constant dense_resource<w3> : tensor<16xf32>
    %cst_5 = arith.constant dense_resource<w4> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<w5> : tensor<16x16x3x3xf32>
    %cst_7 = arith.constant dense_resource<w6> : tensor<16xf32>
    %cst_8 = arith.constant dense_resource<w7> : tensor<16xf32>
    %cst_9 = arith.constant 1.000000e-05 : f64
    %cst_10 = arith.constant dense_resource<w8> : tensor<16xf32>
    %cst_11 = arith.constant dense_resource<w9> : tensor<16xf32>
    %cst_12 = arith.constant dense_resource<w10> : tensor<16xf32>
    %cst_13 = arith.constant dense_resource<w11> : tensor<16x8x3x3xf32>
    %cst_14 = arith.constant dense_resource<w12> : tensor<16x8x1x1xf32>
    %cst_15 = arith.constant dense_resource<w13> : tensor<16xf32>
    %0 = tensor.empty() : tensor<1x16x6x6xf32>
    %broadcasted = linalg.broadcast ins(%cst_15 : tensor<16xf32>) outs(%0 : tensor<1x16x6x6xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %cst_14 : tensor<1x8x12x12xf32>, tensor<16x8x1x1xf32>) outs(%broadcasted : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x12x12xf32> to tensor<1x8x14x14xf32>
    %broadcasted_16 = linalg.broadcast ins(%cst_12 : tensor<16xf32>) outs(%0 : tensor<1x16x6x6xf32>) dimensions = [0, 2, 3] 
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_13 : tensor<1x8x14x14xf32>, tensor<16x8x3x3xf32>) outs(%broadcasted_16 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
    %3 = tensor.empty() : tensor<16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_10 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.truncf %cst_9 : f64 to f32
      %23 = arith.addf %in, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<16xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.sqrt %in : f32
      linalg.yield %22 : f32
    } -> tensor<16xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf one, %in, %cst : f32
      cf.assert %22, "unimplemented: tensor with zero element"
      %23 = arith.divf %cst_0, %in : f32
      linalg.yield %23 : f32
    } -> tensor<16xf32>
    %expanded = tensor.expand_shape %cst_11 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %expanded_17 = tensor.expand_shape %6 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.subf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_17 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.mulf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %expanded_18 = tensor.expand_shape %cst_8 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_18 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.mulf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %expanded_19 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %expanded_19 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.addf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x16x6x6xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf ugt, %in, %cst : f32
      %23 = arith.select %22, %in, %cst : f32
      linalg.yield %23 : f32
    } -> tensor<1x16x6x6xf32>
    %padded_20 = tensor.pad %11 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x16x6x6xf32> to tensor<1x16x8x8xf32>
    %broadcasted_21 = linalg.broadcast ins(%cst_5 : tensor<16xf32>) outs(%0 : tensor<1x16x6x6xf32>) dimensions = [0, 2, 3] 
    %12 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_20, %cst_6 : tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) outs(%broadcasted_21 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_3 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.truncf %cst_9 : f64 to f32
      %23 = arith.addf %in, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<16xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.sqrt %in : f32
      linalg.yield %22 : f32
    } -> tensor<16xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<16xf32>) outs(%3 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf one, %in, %cst : f32
      cf.assert %22, "unimplemented: tensor with zero element"
      %23 = arith.divf %cst_0, %in : f32
      linalg.yield %23 : f32
    } -> tensor<16xf32>
    %expanded_22 = tensor.expand_shape %cst_4 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %expanded_23 = tensor.expand_shape %15 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_22 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.subf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_23 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.mulf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %expanded_24 = tensor.expand_shape %cst_2 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_24 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.mulf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %expanded_25 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_25 : tensor<1x16x6x6xf32>, tensor<16x1x1xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.addf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %19 : tensor<1x16x6x6xf32>, tensor<1x16x6x6xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %22 = arith.addf %in, %in_26 : f32
      linalg.yield %22 : f32
    } -> tensor<1x16x6x6xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x16x6x6xf32>) outs(%0 : tensor<1x16x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf ugt, %in, %cst : f32
      %23 = arith.select %22, %in, %cst : f32
      linalg.yield %23 : f32
    } -> tensor<1x16x6x6xf32>
    return %21 : tensor<1x16x6x6xf32>
  }
}

