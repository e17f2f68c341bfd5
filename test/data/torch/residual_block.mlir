// {"inputs": [{"seed": 1464873889, "shape": [1, 8, 12, 12], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 203001520, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 488642457, "shape": [8], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w2": {"seed": 333147162, "shape": [8], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w3": {"seed": 1686616084, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w4": {"seed": 773441775, "shape": [8, 8, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w5": {"seed": 177077278, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w6": {"seed": 330240122, "shape": [8], "dtype": "float32", "kind": "near_one", "scale": 0.25}, "w7": {"seed": 772866260, "shape": [8], "dtype": "float32", "kind": "variance", "scale": 0.25}, "w8": {"seed": 417766863, "shape": [8], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w9": {"seed": 546754316, "shape": [8, 8, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.125}}, "data": {}, "sums": "float32", "reactions": [{"round": 81.6, "sum": 731.0, "approximate": 75.2}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module {
  func.func @main(%arg0: tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense_resource<w0> : tensor<8xf32>
    %cst_2 = arith.constant dense_resource<w1> : tensor<8xf32>
    %cst_3 = arith.constant dense_resource<w2> : tensor<8xf32>
    %cst_4 = arith.constant dense_resource<w3> : tensor<8xf32>
    %cst_5 = arith.constant dense_resource<w4> : tensor<8x8x3x3xf32>
    %cst_6 = arith.constant dense_resource<w5> : tensor<8xf32>
    %cst_7 = arith.constant dense_resource<w6> : tensor<8xf32>
    %cst_8 = arith.constant 1.000000e-05 : f64
    %cst_9 = arith.constant dense_resource<w7> : tensor<8xf32>
    %cst_10 = arith.constant dense_resource<w8> : tensor<8xf32>
    %cst_11 = arith.constant dense_resource<w9> : tensor<8x8x3x3xf32>
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x12x12xf32> to tensor<1x8x14x14xf32>
    %0 = tensor.empty() : tensor<1x8x12x12xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_11 : tensor<1x8x14x14xf32>, tensor<8x8x3x3xf32>) outs(%1 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %3 = tensor.empty() : tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_9 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.truncf %cst_8 : f64 to f32
      %23 = arith.addf %in, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.sqrt %in : f32
      linalg.yield %22 : f32
    } -> tensor<8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf one, %in, %cst : f32
      cf.assert %22, "unimplemented: tensor with zero element"
      %23 = arith.divf %cst_0, %in : f32
      linalg.yield %23 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %cst_10 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_12 = tensor.expand_shape %6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.subf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_12 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.mulf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %expanded_13 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_13 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.mulf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %expanded_14 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %expanded_14 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.addf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x8x12x12xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf ugt, %in, %cst : f32
      %23 = arith.select %22, %in, %cst : f32
      linalg.yield %23 : f32
    } -> tensor<1x8x12x12xf32>
    %padded_15 = tensor.pad %11 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x8x12x12xf32> to tensor<1x8x14x14xf32>
    %12 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_15, %cst_5 : tensor<1x8x14x14xf32>, tensor<8x8x3x3xf32>) outs(%1 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_3 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.truncf %cst_8 : f64 to f32
      %23 = arith.addf %in, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<8xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.sqrt %in : f32
      linalg.yield %22 : f32
    } -> tensor<8xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%14 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf one, %in, %cst : f32
      cf.assert %22, "unimplemented: tensor with zero element"
      %23 = arith.divf %cst_0, %in : f32
      linalg.yield %23 : f32
    } -> tensor<8xf32>
    %expanded_16 = tensor.expand_shape %cst_4 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %expanded_17 = tensor.expand_shape %15 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_16 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.subf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_17 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.mulf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %expanded_18 = tensor.expand_shape %cst_2 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_18 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.mulf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %expanded_19 = tensor.expand_shape %cst_1 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_19 : tensor<1x8x12x12xf32>, tensor<8x1x1xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.addf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %19 : tensor<1x8x12x12xf32>, tensor<1x8x12x12xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %22 = arith.addf %in, %in_20 : f32
      linalg.yield %22 : f32
    } -> tensor<1x8x12x12xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x8x12x12xf32>) outs(%0 : tensor<1x8x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.cmpf ugt, %in, %cst : f32
      %23 = arith.select %22, %in, %cst : f32
      linalg.yield %23 : f32
    } -> tensor<1x8x12x12xf32>
    return %21 : tensor<1x8x12x12xf32>
  }
}

