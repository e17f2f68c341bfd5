// {"inputs": [{"seed": 974891441, "shape": [7, 11], "dtype": "int32", "low": -99, "high": 100}, {"seed": 1293719847, "shape": [7, 11], "dtype": "int32", "low": 1, "high": 9}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<7x11xi32>, %arg1: tensor<7x11xi32>) -> tensor<7x11xi32> {
    %0 = tensor.empty() : tensor<7x11xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<7x11xi32>, tensor<7x11xi32>) outs(%0 : tensor<7x11xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %2 = arith.sitofp %in : i32 to f64
      %3 = arith.sitofp %in_0 : i32 to f64
      %4 = arith.divf %2, %3 : f64
      %5 = math.floor %4 : f64
      %6 = arith.fptosi %5 : f64 to i32
      linalg.yield %6 : i32
    } -> tensor<7x11xi32>
    return %1 : tensor<7x11xi32>
  }
}
