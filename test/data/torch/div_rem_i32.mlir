// {"inputs": [{"seed": 507268193, "shape": [20, 20], "dtype": "int32", "low": 1, "high": 100}, {"seed": 1765506295, "shape": [20, 20], "dtype": "int32", "low": 1, "high": 9}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}, {"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<20x20xi32>, %arg1: tensor<20x20xi32>) -> (tensor<20x20xi32>, tensor<20x20xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<20x20xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%0 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %3 = arith.divsi %in, %in_0 : i32
      linalg.yield %3 : i32
    } -> tensor<20x20xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<20x20xi32>, tensor<20x20xi32>) outs(%0 : tensor<20x20xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %3 = arith.remsi %in, %in_0 : i32
      %4 = arith.cmpi ne, %3, %c0_i32 : i32
      %5 = arith.cmpi slt, %in_0, %c0_i32 : i32
      %6 = arith.cmpi slt, %3, %c0_i32 : i32
      %7 = arith.xori %5, %6 : i1
      %8 = arith.andi %4, %7 : i1
      %9 = arith.addi %3, %in_0 : i32
      %10 = arith.select %8, %9, %3 : i32
      linalg.yield %10 : i32
    } -> tensor<20x20xi32>
    return %1, %2 : tensor<20x20xi32>, tensor<20x20xi32>
  }
}
