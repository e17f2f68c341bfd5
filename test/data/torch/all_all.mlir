// {"inputs": [{"seed": 993101005, "shape": [10, 30], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<10x30xf32>) -> tensor<i1> {
    %true = arith.constant true
    %cst = arith.constant -3.000000e+00 : f32
    %0 = tensor.empty() : tensor<10x30xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<10x30xf32>) outs(%0 : tensor<10x30xi1>) {
    ^bb0(%in: f32, %out: i1):
      %5 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %5 : i1
    } -> tensor<10x30xi1>
    %2 = tensor.empty() : tensor<i1>
    %3 = linalg.fill ins(%true : i1) outs(%2 : tensor<i1>) -> tensor<i1>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%1 : tensor<10x30xi1>) outs(%3 : tensor<i1>) {
    ^bb0(%in: i1, %out: i1):
      %5 = arith.andi %in, %out : i1
      linalg.yield %5 : i1
    } -> tensor<i1>
    return %4 : tensor<i1>
  }
}
