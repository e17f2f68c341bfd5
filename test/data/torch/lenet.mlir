// {"inputs": [{"seed": 1149526358, "shape": [2, 1, 28, 28], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 1677952744, "shape": [10], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 1637458157, "shape": [10, 84], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w2": {"seed": 794776909, "shape": [84], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w3": {"seed": 758358131, "shape": [84, 120], "dtype": "float32", "kind": "weight", "scale": 0.125}, "w4": {"seed": 701179875, "shape": [120], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w5": {"seed": 599566224, "shape": [120, 400], "dtype": "float32", "kind": "weight", "scale": 0.0625}, "w6": {"seed": 2103933674, "shape": [16], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w7": {"seed": 1738859836, "shape": [16, 6, 5, 5], "dtype": "float32", "kind": "weight", "scale": 0.0625}, "w8": {"seed": 1764483807, "shape": [6, 1, 5, 5], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w9": {"seed": 2079524932, "shape": [6], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 0.979, "sum": 1440.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<2x1x28x28xf32>) -> tensor<2x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense_resource<w0> : tensor<10xf32>
    %cst_2 = arith.constant dense_resource<w1> : tensor<10x84xf32>
    %cst_3 = arith.constant dense_resource<w2> : tensor<84xf32>
    %cst_4 = arith.constant dense_resource<w3> : tensor<84x120xf32>
    %cst_5 = arith.constant dense_resource<w4> : tensor<120xf32>
    %cst_6 = arith.constant dense_resource<w5> : tensor<120x400xf32>
    %cst_7 = arith.constant dense_resource<w6> : tensor<16xf32>
    %cst_8 = arith.constant dense_resource<w7> : tensor<16x6x5x5xf32>
    %cst_9 = arith.constant dense_resource<w8> : tensor<6x1x5x5xf32>
    %cst_10 = arith.constant dense_resource<w9> : tensor<6xf32>
    %padded = tensor.pad %arg0 low[0, 0, 2, 2] high[0, 0, 2, 2] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<2x1x28x28xf32> to tensor<2x1x32x32xf32>
    %0 = tensor.empty() : tensor<2x6x28x28xf32>
    %broadcasted = linalg.broadcast ins(%cst_10 : tensor<6xf32>) outs(%0 : tensor<2x6x28x28xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %cst_9 : tensor<2x1x32x32xf32>, tensor<6x1x5x5xf32>) outs(%broadcasted : tensor<2x6x28x28xf32>) -> tensor<2x6x28x28xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x6x28x28xf32>) outs(%0 : tensor<2x6x28x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<2x6x28x28xf32>
    %3 = tensor.empty() : tensor<2x6x14x14xf32>
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x6x14x14xf32>) -> tensor<2x6x14x14xf32>
    %5 = tensor.empty() : tensor<2x2xf32>
    %6 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%2, %5 : tensor<2x6x28x28xf32>, tensor<2x2xf32>) outs(%4 : tensor<2x6x14x14xf32>) -> tensor<2x6x14x14xf32>
    %7 = tensor.empty() : tensor<2x16x10x10xf32>
    %broadcasted_11 = linalg.broadcast ins(%cst_7 : tensor<16xf32>) outs(%7 : tensor<2x16x10x10xf32>) dimensions = [0, 2, 3] 
    %8 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%6, %cst_8 : tensor<2x6x14x14xf32>, tensor<16x6x5x5xf32>) outs(%broadcasted_11 : tensor<2x16x10x10xf32>) -> tensor<2x16x10x10xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x16x10x10xf32>) outs(%7 : tensor<2x16x10x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<2x16x10x10xf32>
    %10 = tensor.empty() : tensor<2x16x5x5xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x16x5x5xf32>) -> tensor<2x16x5x5xf32>
    %12 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%9, %5 : tensor<2x16x10x10xf32>, tensor<2x2xf32>) outs(%11 : tensor<2x16x5x5xf32>) -> tensor<2x16x5x5xf32>
    %collapsed = tensor.collapse_shape %12 [[0], [1, 2, 3]] : tensor<2x16x5x5xf32> into tensor<2x400xf32>
    %13 = tensor.empty() : tensor<400x120xf32>
    %transposed = linalg.transpose ins(%cst_6 : tensor<120x400xf32>) outs(%13 : tensor<400x120xf32>) permutation = [1, 0] 
    %14 = tensor.empty() : tensor<2x120xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<2x120xf32>) -> tensor<2x120xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<2x400xf32>, tensor<400x120xf32>) outs(%15 : tensor<2x120xf32>) -> tensor<2x120xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %cst_5 : tensor<2x120xf32>, tensor<120xf32>) outs(%14 : tensor<2x120xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %30 = arith.addf %in, %in_14 : f32
      linalg.yield %30 : f32
    } -> tensor<2x120xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x120xf32>) outs(%14 : tensor<2x120xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<2x120xf32>
    %19 = tensor.empty() : tensor<120x84xf32>
    %transposed_12 = linalg.transpose ins(%cst_4 : tensor<84x120xf32>) outs(%19 : tensor<120x84xf32>) permutation = [1, 0] 
    %20 = tensor.empty() : tensor<2x84xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x84xf32>) -> tensor<2x84xf32>
    %22 = linalg.matmul ins(%18, %transposed_12 : tensor<2x120xf32>, tensor<120x84xf32>) outs(%21 : tensor<2x84xf32>) -> tensor<2x84xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %cst_3 : tensor<2x84xf32>, tensor<84xf32>) outs(%20 : tensor<2x84xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %30 = arith.addf %in, %in_14 : f32
      linalg.yield %30 : f32
    } -> tensor<2x84xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<2x84xf32>) outs(%20 : tensor<2x84xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.cmpf ugt, %in, %cst : f32
      %31 = arith.select %30, %in, %cst : f32
      linalg.yield %31 : f32
    } -> tensor<2x84xf32>
    %25 = tensor.empty() : tensor<84x10xf32>
    %transposed_13 = linalg.transpose ins(%cst_2 : tensor<10x84xf32>) outs(%25 : tensor<84x10xf32>) permutation = [1, 0] 
    %26 = tensor.empty() : tensor<2x10xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %28 = linalg.matmul ins(%24, %transposed_13 : tensor<2x84xf32>, tensor<84x10xf32>) outs(%27 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%28, %cst_1 : tensor<2x10xf32>, tensor<10xf32>) outs(%26 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %30 = arith.addf %in, %in_14 : f32
      linalg.yield %30 : f32
    } -> tensor<2x10xf32>
    return %29 : tensor<2x10xf32>
  }
}

