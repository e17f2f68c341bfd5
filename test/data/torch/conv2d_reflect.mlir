// {"inputs": [{"seed": 698451621, "shape": [1, 3, 7, 8], "dtype": "float32", "low": null, "high": null}], "weights": {"w0": {"seed": 2131929061, "shape": [4], "dtype": "float32", "kind": "weight", "scale": 0.25}, "w1": {"seed": 408835567, "shape": [4, 3, 3, 3], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 5.65, "sum": 143.0, "approximate": 0.0}]}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x3x7x8xf32>) -> tensor<1x4x7x8xf32> {
    %c9_i64 = arith.constant 9 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c8_i64 = arith.constant 8 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c7_i64 = arith.constant 7 : i64
    %cst = arith.constant dense_resource<w0> : tensor<4xf32>
    %cst_0 = arith.constant dense_resource<w1> : tensor<4x3x3x3xf32>
    %c3_i64 = arith.constant 3 : i64
    %cst_1 = arith.constant dense<7> : tensor<i64>
    %cst_2 = arith.constant dense<6> : tensor<i64>
    %0 = tensor.empty() : tensor<9xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %25 = linalg.index 0 : index
      %26 = arith.index_cast %25 : index to i64
      %27 = arith.addi %26, %c-1_i64 : i64
      linalg.yield %27 : i64
    } -> tensor<9xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<9xi64>) outs(%0 : tensor<9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %25 = math.absi %in : i64
      linalg.yield %25 : i64
    } -> tensor<9xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel"]} ins(%cst_2, %2 : tensor<i64>, tensor<9xi64>) outs(%0 : tensor<9xi64>) {
    ^bb0(%in: i64, %in_6: i64, %out: i64):
      %25 = arith.subi %in, %in_6 : i64
      linalg.yield %25 : i64
    } -> tensor<9xi64>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<9xi64>) outs(%0 : tensor<9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %25 = math.absi %in : i64
      linalg.yield %25 : i64
    } -> tensor<9xi64>
    %5 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel"]} ins(%cst_2, %4 : tensor<i64>, tensor<9xi64>) outs(%0 : tensor<9xi64>) {
    ^bb0(%in: i64, %in_6: i64, %out: i64):
      %25 = arith.subi %in, %in_6 : i64
      linalg.yield %25 : i64
    } -> tensor<9xi64>
    %6 = tensor.empty() : tensor<8xi64>
    %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%6 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %25 = linalg.index 0 : index
      %26 = arith.index_cast %25 : index to i64
      linalg.yield %26 : i64
    } -> tensor<8xi64>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %8 = tensor.empty() : tensor<3xi64>
    %9 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%8 : tensor<3xi64>) {
    ^bb0(%out: i64):
      %25 = linalg.index 0 : index
      %26 = arith.index_cast %25 : index to i64
      linalg.yield %26 : i64
    } -> tensor<3xi64>
    %expanded_3 = tensor.expand_shape %9 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xi64> into tensor<3x1x1xi64>
    %10 = tensor.empty() : tensor<1xi64>
    %11 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%10 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_4 = tensor.expand_shape %11 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %12 = tensor.empty() : tensor<1x3x9x8xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4, %expanded_3, %expanded, %7 : tensor<1x1x1x1xi64>, tensor<3x1x1xi64>, tensor<9x1xi64>, tensor<8xi64>) outs(%12 : tensor<1x3x9x8xf32>) {
    ^bb0(%in: i64, %in_6: i64, %in_7: i64, %in_8: i64, %out: f32):
      %25 = arith.cmpi slt, %in, %c0_i64 : i64
      %26 = arith.addi %in, %c1_i64 : i64
      %27 = arith.select %25, %26, %in : i64
      %28 = arith.index_cast %27 : i64 to index
      %29 = arith.cmpi slt, %in_6, %c0_i64 : i64
      %30 = arith.addi %in_6, %c3_i64 : i64
      %31 = arith.select %29, %30, %in_6 : i64
      %32 = arith.index_cast %31 : i64 to index
      %33 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %34 = arith.addi %in_7, %c7_i64 : i64
      %35 = arith.select %33, %34, %in_7 : i64
      %36 = arith.index_cast %35 : i64 to index
      %37 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %38 = arith.addi %in_8, %c8_i64 : i64
      %39 = arith.select %37, %38, %in_8 : i64
      %40 = arith.index_cast %39 : i64 to index
      %extracted = tensor.extract %arg0[%28, %32, %36, %40] : tensor<1x3x7x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x9x8xf32>
    %14 = tensor.empty() : tensor<10xi64>
    %15 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%14 : tensor<10xi64>) {
    ^bb0(%out: i64):
      %25 = linalg.index 0 : index
      %26 = arith.index_cast %25 : index to i64
      %27 = arith.addi %26, %c-1_i64 : i64
      linalg.yield %27 : i64
    } -> tensor<10xi64>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%15 : tensor<10xi64>) outs(%14 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %25 = math.absi %in : i64
      linalg.yield %25 : i64
    } -> tensor<10xi64>
    %17 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel"]} ins(%cst_1, %16 : tensor<i64>, tensor<10xi64>) outs(%14 : tensor<10xi64>) {
    ^bb0(%in: i64, %in_6: i64, %out: i64):
      %25 = arith.subi %in, %in_6 : i64
      linalg.yield %25 : i64
    } -> tensor<10xi64>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%17 : tensor<10xi64>) outs(%14 : tensor<10xi64>) {
    ^bb0(%in: i64, %out: i64):
      %25 = math.absi %in : i64
      linalg.yield %25 : i64
    } -> tensor<10xi64>
    %19 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel"]} ins(%cst_1, %18 : tensor<i64>, tensor<10xi64>) outs(%14 : tensor<10xi64>) {
    ^bb0(%in: i64, %in_6: i64, %out: i64):
      %25 = arith.subi %in, %in_6 : i64
      linalg.yield %25 : i64
    } -> tensor<10xi64>
    %20 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %25 = linalg.index 0 : index
      %26 = arith.index_cast %25 : index to i64
      linalg.yield %26 : i64
    } -> tensor<9xi64>
    %expanded_5 = tensor.expand_shape %20 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %21 = tensor.empty() : tensor<1x3x9x10xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4, %expanded_3, %expanded_5, %19 : tensor<1x1x1x1xi64>, tensor<3x1x1xi64>, tensor<9x1xi64>, tensor<10xi64>) outs(%21 : tensor<1x3x9x10xf32>) {
    ^bb0(%in: i64, %in_6: i64, %in_7: i64, %in_8: i64, %out: f32):
      %25 = arith.cmpi slt, %in, %c0_i64 : i64
      %26 = arith.addi %in, %c1_i64 : i64
      %27 = arith.select %25, %26, %in : i64
      %28 = arith.index_cast %27 : i64 to index
      %29 = arith.cmpi slt, %in_6, %c0_i64 : i64
      %30 = arith.addi %in_6, %c3_i64 : i64
      %31 = arith.select %29, %30, %in_6 : i64
      %32 = arith.index_cast %31 : i64 to index
      %33 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %34 = arith.addi %in_7, %c9_i64 : i64
      %35 = arith.select %33, %34, %in_7 : i64
      %36 = arith.index_cast %35 : i64 to index
      %37 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %38 = arith.addi %in_8, %c8_i64 : i64
      %39 = arith.select %37, %38, %in_8 : i64
      %40 = arith.index_cast %39 : i64 to index
      %extracted = tensor.extract %13[%28, %32, %36, %40] : tensor<1x3x9x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x3x9x10xf32>
    %23 = tensor.empty() : tensor<1x4x7x8xf32>
    %broadcasted = linalg.broadcast ins(%cst : tensor<4xf32>) outs(%23 : tensor<1x4x7x8xf32>) dimensions = [0, 2, 3] 
    %24 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%22, %cst_0 : tensor<1x3x9x10xf32>, tensor<4x3x3x3xf32>) outs(%broadcasted : tensor<1x4x7x8xf32>) -> tensor<1x4x7x8xf32>
    return %24 : tensor<1x4x7x8xf32>
  }
}

