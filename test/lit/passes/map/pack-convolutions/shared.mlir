// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions='device=npu2' | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions='device=npu2' --verify-each=execute | filecheck %s

// The second convolution adds a tensor, the first one does not: both are the kernel that adds, the first call with zeros. The third
// one has no bias and is another kernel.

// CHECK:       func.func private @block_convolution_1(
// CHECK-NOT:   func.func private @block_convolution_0(
// CHECK:       func.func private @block_convolution_2(
// CHECK-LABEL: func.func @block(
// CHECK:         arith.constant dense<0.000000e+00> : tensor<1x16x8x8xf32>
// CHECK:         call @block_convolution_1({{%[^,]*, %[^,]*, %[^,]*, %[^,]*}})
// CHECK:         call @block_convolution_1(
// CHECK:         call @block_convolution_2(
#pixels = affine_map<(n, f, h, w) -> (n, f, h, w)>
#channels = affine_map<(n, f, h, w) -> (f)>
func.func @block(%x: tensor<1x16x10x10xf32>, %y: tensor<1x16x10x10xf32>, %w: tensor<16x16x3x3xf32>, %v: tensor<16x16x3x3xf32>,
    %b: tensor<16xf32>) -> (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x16x10x10xf32>, tensor<16x16x3x3xf32>)
      outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %r = linalg.generic {indexing_maps = [#pixels, #channels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<1x16x8x8xf32>) {
  ^bb0(%s: f32, %t: f32, %u: f32):
    %1 = arith.addf %s, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x8x8xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%y, %v : tensor<1x16x10x10xf32>, tensor<16x16x3x3xf32>)
      outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %g = linalg.generic {indexing_maps = [#pixels, #channels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%d, %b : tensor<1x16x8x8xf32>, tensor<16xf32>) outs(%e : tensor<1x16x8x8xf32>) {
  ^bb0(%s: f32, %t: f32, %u: f32):
    %1 = arith.addf %s, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x8x8xf32>
  %a = linalg.generic {indexing_maps = [#pixels, #pixels, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%g, %r : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) outs(%e : tensor<1x16x8x8xf32>) {
  ^bb0(%s: f32, %t: f32, %u: f32):
    %1 = arith.addf %s, %t : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x8x8xf32>
  %h = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<1x16x10x10xf32>, tensor<16x16x3x3xf32>)
      outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %a, %h : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>
}
