// {"inputs": [{"seed": 1072455721, "shape": [6, 33], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<6x33xf32>) -> (tensor<6x33xi32>, tensor<6xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x33xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<6x33xf32>, tensor<6x33xf32>) outs(%0 : tensor<6x33xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %8 = arith.cmpf une, %in, %in_0 : f32
      linalg.yield %8 : i1
    } -> tensor<6x33xi1>
    %2 = tensor.empty() : tensor<6x33xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x33xi1>) outs(%2 : tensor<6x33xi32>) {
    ^bb0(%in: i1, %out: i32):
      %8 = arith.extui %in : i1 to i32
      linalg.yield %8 : i32
    } -> tensor<6x33xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x33xf32>) outs(%0 : tensor<6x33xi1>) {
    ^bb0(%in: f32, %out: i1):
      %8 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %8 : i1
    } -> tensor<6x33xi1>
    %5 = tensor.empty() : tensor<6xi32>
    %6 = linalg.fill ins(%c0_i32 : i32) outs(%5 : tensor<6xi32>) -> tensor<6xi32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<6x33xi1>) outs(%6 : tensor<6xi32>) {
    ^bb0(%in: i1, %out: i32):
      %8 = arith.extui %in : i1 to i32
      %9 = arith.addi %8, %out : i32
      linalg.yield %9 : i32
    } -> tensor<6xi32>
    return %3, %7 : tensor<6x33xi32>, tensor<6xi32>
  }
}
