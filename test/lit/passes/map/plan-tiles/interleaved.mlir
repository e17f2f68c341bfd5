// What the cores of a column want together must lie apart from what those of the next column want, to be cut for memtiles.
// RUN: allo-opt %s --plan-tiles=device=npu2 | filecheck %s

// Columns along d and rows along e would want every third element from d on: from 0 to 9, from 1 to 10.

// CHECK-LABEL: func.func private @interleaved
// CHECK-SAME:    core = array<i64: 1, 0, 0, 0, 1, 0>, cores = array<i64: 1, 4>, {{.*}}launch = array<i64: 1, 0, 0, 0, 4, 0>
#window = affine_map<(a, b, c, d, e, f) -> (f, a * 4 + b + c, d + e * 3)>
#out = affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e, f)>
func.func private @interleaved(%x: tensor<8x27x27xf32>) -> tensor<6x4x4x6x8x8xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<6x4x4x6x8x8xf32>
  %r = linalg.generic {indexing_maps = [#window, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x27x27xf32>) outs(%e : tensor<6x4x4x6x8x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<6x4x4x6x8x8xf32>
  return %r : tensor<6x4x4x6x8x8xf32>
}
