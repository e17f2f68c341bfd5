// {"inputs": [{"seed": 1999570572, "shape": [3, 100], "dtype": "int8", "low": null, "high": null}, {"seed": 2635290, "shape": [3, 100], "dtype": "int8", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<3x100xi8>, %arg1: tensor<3x100xi8>) -> tensor<3x100xi8> {
    %0 = tensor.empty() : tensor<3x100xi8>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x100xi8>, tensor<3x100xi8>) outs(%0 : tensor<3x100xi8>) {
    ^bb0(%in: i8, %in_0: i8, %out: i8):
      %2 = arith.addi %in, %in_0 : i8
      linalg.yield %2 : i8
    } -> tensor<3x100xi8>
    return %1 : tensor<3x100xi8>
  }
}
