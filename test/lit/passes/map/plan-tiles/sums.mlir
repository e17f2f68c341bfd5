// RUN: allo-opt %s --plan-tiles='cols=1' | filecheck %s

// Rows of 11, of which those of a micro-tile's pixels are 3 apart: no core begins at an odd one, which is not a whole word.

// CHECK-LABEL: func.func private @rows(
// CHECK-SAME:    core = array<i64: 0, 0, 1, 0, 0, 2, 0>
func.func private @rows(%a: tensor<16x14x11xbf16>) -> tensor<1x1x2x5x11x4x8xbf16> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<1x1x2x5x11x4x8xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(n, o, c, y, x, m, k) -> (8 * c + k, y + 3 * m, x)>,
      affine_map<(n, o, c, y, x, m, k) -> (n, o, c, y, x, m, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<16x14x11xbf16>) outs(%e : tensor<1x1x2x5x11x4x8xbf16>) {
  ^bb0(%x: bf16, %u: bf16):
    linalg.yield %x : bf16
  } -> tensor<1x1x2x5x11x4x8xbf16>
  return %r : tensor<1x1x2x5x11x4x8xbf16>
}
