// {"inputs": [{"seed": 1440021738, "shape": [5, 8], "dtype": "float32", "low": null, "high": null}, {"seed": 584305788, "shape": [3, 8], "dtype": "float32", "low": null, "high": null}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 0.0, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<5x8xf32>, %arg1: tensor<3x8xf32>) -> tensor<8x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %concat = tensor.concat dim(0) %arg0, %arg1 : (tensor<5x8xf32>, tensor<3x8xf32>) -> tensor<8x8xf32>
    %0 = tensor.empty() : tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.cmpf ugt, %in, %cst : f32
      %3 = arith.select %2, %in, %cst : f32
      linalg.yield %3 : f32
    } -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
