// {"inputs": [{"seed": 1194860249, "shape": [1, 7], "dtype": "int64", "low": 0, "high": 30}], "weights": {"w0": {"seed": 1429492796, "shape": [30, 12], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 0.248, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x7xi64>) -> tensor<1x7x12xf32> {
    %c30 = arith.constant 30 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense_resource<w0> : tensor<30x12xf32>
    %0 = tensor.empty() : tensor<1x7x12xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7xi64>) outs(%0 : tensor<1x7x12xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 2 : index
      %4 = arith.cmpi slt, %2, %c30 : index
      cf.assert %4, "index must be smaller than dim size"
      %5 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %5, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst[%2, %3] : tensor<30x12xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x7x12xf32>
    return %1 : tensor<1x7x12xf32>
  }
}

