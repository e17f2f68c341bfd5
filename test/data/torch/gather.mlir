// {"inputs": [{"seed": 1148514575, "shape": [6, 10], "dtype": "float32", "low": null, "high": null}, {"seed": 863224217, "shape": [6, 4], "dtype": "int64", "low": 0, "high": 10}], "weights": {}, "data": {}, "sums": "float32", "reactions": [{"round": 1.75, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<6x10xf32>, %arg1: tensor<6x4xi64>) -> tensor<6x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c10 = arith.constant 10 : index
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<6x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x4xi64>) outs(%1 : tensor<6x4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %3 = linalg.index 0 : index
      %4 = arith.index_cast %in : i64 to index
      %5 = arith.cmpi slt, %4, %c10 : index
      cf.assert %5, "index must be smaller than dim size"
      %6 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %6, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%3, %4] : tensor<6x10xf32>
      linalg.yield %extracted : f32
    } -> tensor<6x4xf32>
    return %2 : tensor<6x4xf32>
  }
}
