// RUN: allo-opt %s --assign-layouts=device=npu2 | filecheck %s

// From blocks of 8 pixels that are 7 apart to overlapping blocks of 8 that are 8 apart, each pixel is a box of its own: too many
// for one kernel of streams. Two take an image in between, where four kernels of cores were.

#unpack = affine_map<(n, o, p, y, m, x, g, f, k) -> (n, o, p, g, f, y, x, m, k)>
#same = affine_map<(n, o, p, y, m, x, g, f, k) -> (n, o, p, y, m, x, g, f, k)>
#pack = affine_map<(n, o, p, c, r, q, m, k) -> (n, o * 2 + r, q + m * 8, c * 8 + k)>
#packed = affine_map<(n, o, p, c, r, q, m, k) -> (n, o, p, c, r, q, m, k)>
func.func private @conv(%x: tensor<1x14x1x8x2x4x7x8x4xf32>) -> tensor<1x14x1x8x2x4x7x8x4xf32> attributes {allo.kernel} {
  return %x : tensor<1x14x1x8x2x4x7x8x4xf32>
}
func.func private @next(%x: tensor<1x28x1x8x3x9x8x8xf32>) -> tensor<1x28x1x8x3x9x8x8xf32> attributes {allo.kernel} {
  return %x : tensor<1x28x1x8x3x9x8x8xf32>
}
// CHECK:       func.func private @[[FIRST:relayout_[0-9]+]]({{.*}}family = "move"
// CHECK:       func.func private @[[SECOND:relayout_[0-9]+]]({{.*}}family = "move"
// CHECK-NOT:   func.func private
// CHECK-LABEL: func.func @f(
// CHECK:         %[[X:.*]] = call @conv(
// CHECK:         %[[IMAGE:.*]] = call @[[FIRST]](%[[X]]
// CHECK:         call @[[SECOND]](%[[IMAGE]]
// CHECK:         call @next(
func.func @f(%a: tensor<1x14x1x8x2x4x7x8x4xf32>) -> tensor<1x28x1x8x3x9x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %x = call @conv(%a) : (tensor<1x14x1x8x2x4x7x8x4xf32>) -> tensor<1x14x1x8x2x4x7x8x4xf32>
  %e = tensor.empty() : tensor<1x14x1x4x8x7x8x2x4xf32>
  %t = linalg.generic {indexing_maps = [#unpack, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x14x1x8x2x4x7x8x4xf32>) outs(%e : tensor<1x14x1x4x8x7x8x2x4xf32>) {
  ^b(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<1x14x1x4x8x7x8x2x4xf32>
  %c = tensor.collapse_shape %t [[0], [1, 2, 3], [4, 5], [6, 7, 8]] : tensor<1x14x1x4x8x7x8x2x4xf32> into tensor<1x56x56x64xf32>
  %p = tensor.pad %c low[0, 1, 1, 0] high[0, 0, 8, 0] {
  ^b(%n: index, %h: index, %w: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x56x56x64xf32> to tensor<1x57x65x64xf32>
  %d = tensor.empty() : tensor<1x28x1x8x3x9x8x8xf32>
  %q = linalg.generic {indexing_maps = [#pack, #packed], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x57x65x64xf32>) outs(%d : tensor<1x28x1x8x3x9x8x8xf32>) {
  ^b(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<1x28x1x8x3x9x8x8xf32>
  %r = call @next(%q) : (tensor<1x28x1x8x3x9x8x8xf32>) -> tensor<1x28x1x8x3x9x8x8xf32>
  return %r : tensor<1x28x1x8x3x9x8x8xf32>
}
