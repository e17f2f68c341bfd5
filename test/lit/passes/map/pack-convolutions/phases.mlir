// RUN: allo-opt %s --pack-convolutions=device=npu2 | filecheck %s

// The image has 3 channels and comes from the caller: 2x2 pixels of it become 16 channels (4 of each pixel, one of them empty), and
// the window of 7x7 with stride 2 becomes one of 4x4. The caller packs both.

#image = affine_map<(n, f, h, w, c, u, v) -> (n, c, h * 2 + u, w * 2 + v)>
#weights = affine_map<(n, f, h, w, c, u, v) -> (f, c, u, v)>
#result = affine_map<(n, f, h, w, c, u, v) -> (n, f, h, w)>

// CHECK-LABEL: func.func private @k
// CHECK-SAME: tensor<1x16x1x2x5x7x8x8xf32>, %{{.*}}: tensor<4x2x4x4x4x8x4xf32>
func.func private @k(%x: tensor<1x3x64x64xf32>, %w: tensor<64x3x7x7xf32>) -> tensor<1x64x32x32xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x3x64x64xf32> to tensor<1x3x70x70xf32>
  %e = tensor.empty() : tensor<1x64x32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x32x32xf32>) -> tensor<1x64x32x32xf32>
  %r = linalg.generic {indexing_maps = [#image, #weights, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x3x70x70xf32>, tensor<64x3x7x7xf32>) outs(%f : tensor<1x64x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x64x32x32xf32>
  return %r : tensor<1x64x32x32xf32>
}

// CHECK-LABEL: func.func @f
// CHECK: tensor.collapse_shape {{.*}} : tensor<1x16x1x2x5x7x8x2x4xf32> into tensor<1x16x1x2x5x7x8x8xf32>
// CHECK: call @k
func.func @f(%x: tensor<1x3x64x64xf32>) -> tensor<1x64x32x32xf32> {
  %w = arith.constant dense<1.0> : tensor<64x3x7x7xf32>
  %r = call @k(%x, %w) : (tensor<1x3x64x64xf32>, tensor<64x3x7x7xf32>) -> tensor<1x64x32x32xf32>
  return %r : tensor<1x64x32x32xf32>
}
