// A table whose rows no number divides gets more of them, which no index is of; the caller adds them.
// RUN: allo-opt %s --generalize-movement | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK:         tensor.pad %arg1 low[0, 0] high[45, 0]
// CHECK:         } {allo.brought} : tensor<2003x48xf32> to tensor<2048x48xf32>
func.func @main(%i: tensor<9xi32>, %table: tensor<2003x48xf32>) -> tensor<9x48xf32> {
  %e = tensor.empty() : tensor<9x48xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<9xi32>) outs(%e : tensor<9x48xf32>) {
  ^bb0(%k: i32, %o: f32):
    %p = arith.index_cast %k : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%p, %j] : tensor<2003x48xf32>
    linalg.yield %v : f32
  } -> tensor<9x48xf32>
  return %r : tensor<9x48xf32>
}
