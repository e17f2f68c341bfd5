// {"inputs": [{"seed": 1587111545, "shape": [2, 9], "dtype": "int64", "low": 0, "high": 50}], "weights": {"w0": {"seed": 1210244502, "shape": [50, 16], "dtype": "float32", "kind": "weight", "scale": 0.25}}, "data": {}, "sums": "float32", "reactions": [{"round": 0.248, "sum": 0.0, "approximate": 0.0}]}
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<2x9xi64>) -> tensor<2x9x16xf32> {
    %c50 = arith.constant 50 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense_resource<w0> : tensor<50x16xf32>
    %0 = tensor.empty() : tensor<2x9x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x9xi64>) outs(%0 : tensor<2x9x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 2 : index
      %4 = arith.cmpi slt, %2, %c50 : index
      cf.assert %4, "index must be smaller than dim size"
      %5 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %5, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst[%2, %3] : tensor<50x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x9x16xf32>
    return %1 : tensor<2x9x16xf32>
  }
}

