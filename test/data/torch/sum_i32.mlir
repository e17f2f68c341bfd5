// {"inputs": [{"seed": 968398849, "shape": [32, 33], "dtype": "int32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<32x33xi32>) -> tensor<32xi32> {
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<32xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<32xi32>) -> tensor<32xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<32x33xi32>) outs(%1 : tensor<32xi32>) {
    ^bb0(%in: i32, %out: i32):
      %3 = arith.addi %in, %out : i32
      linalg.yield %3 : i32
    } -> tensor<32xi32>
    return %2 : tensor<32xi32>
  }
}
