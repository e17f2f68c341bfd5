// RUN: allo-opt %s --assign-layouts=device=npu2 | filecheck %s

// Between two convolutions of 56x56 pixels in blocks of 16 of a row: 74 boxes. Streams of all columns would take too many tasks; those
// of one shim do not, and load no configuration.

// CHECK-LABEL: func.func private @relayout_0(%arg0: tensor<56x4x4x4x2x8x4xf32>, %arg1: tensor<{{[0-9]+}}xf32>) -> tensor<56x4x8x3x4x8x8xf32>
// CHECK-SAME:    allo.columns = {chosen = "1 of 8: other kernels can carry the streams of one shim"
// CHECK-NOT:   @relayout_1
#blocks = affine_map<(b, p, m, x, o, f, k) -> (b, p, o, f, x, m, k)>
#windows = affine_map<(b, p, c, y, x, m, k) -> (b + y, 16 * p + 2 * m + x, 8 * c + k)>
#same = affine_map<(b, p, m, x, o, f, k) -> (b, p, m, x, o, f, k)>
!result = tensor<56x4x4x4x2x8x4xf32>
!image = tensor<56x4x8x3x4x8x8xf32>

func.func private @k(%x: !result) -> !result attributes {allo.kernel} {
  %e = tensor.empty() : !result
  %r = linalg.exp ins(%x : !result) outs(%e : !result) -> !result
  return %r : !result
}

func.func private @last(%x: !image) -> !image attributes {allo.kernel} {
  %e = tensor.empty() : !image
  %r = linalg.exp ins(%x : !image) outs(%e : !image) -> !image
  return %r : !image
}

func.func @f(%x: !result) -> !image {
  %zero = arith.constant 0.0 : f32
  %a = call @k(%x) : (!result) -> !result
  %e = tensor.empty() : tensor<56x4x8x2x4x4x4xf32>
  %t = linalg.generic {indexing_maps = [#blocks, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a : !result) outs(%e : tensor<56x4x8x2x4x4x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<56x4x8x2x4x4x4xf32>
  %c = tensor.collapse_shape %t [[0], [1, 2, 3], [4, 5, 6]] : tensor<56x4x8x2x4x4x4xf32> into tensor<56x64x64xf32>
  %s = tensor.extract_slice %c[0, 0, 0] [56, 56, 64] [1, 1, 1] : tensor<56x64x64xf32> to tensor<56x56x64xf32>
  %p = tensor.pad %s low[1, 1, 0] high[1, 9, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<56x56x64xf32> to tensor<58x66x64xf32>
  %b = tensor.empty() : !image
  %w = linalg.generic {indexing_maps = [#windows, #same],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<58x66x64xf32>) outs(%b : !image) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> !image
  %r = call @last(%w) : (!image) -> !image
  return %r : !image
}
