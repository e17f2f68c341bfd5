// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions='device=npu2' | filecheck %s

// With 512 channels a bias leaves room for little of the image in a core: it is added by a kernel of its own.

// CHECK:       func.func private @many_convolution_0(
// CHECK-SAME:    allo.partition = "apart: with its epilogue it {{[^"]*}} cycles"
// CHECK-SAME:    micro-tile 8x4x8
// CHECK-NOT:     arith.maximumf
// CHECK:       func.func private @many_convolution_0_after(
// CHECK:         arith.maximumf
// CHECK-LABEL: func.func @many(
// CHECK:         call @many_convolution_0(
// CHECK:         call @many_convolution_0_after(
func.func @many(%x: tensor<1x512x9x9xf32>, %w: tensor<512x512x3x3xf32>, %b: tensor<512xf32>) -> tensor<1x512x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>) outs(%f : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>,
      affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x512x7x7xf32>, tensor<512xf32>) outs(%e : tensor<1x512x7x7xf32>) {
  ^bb0(%s: f32, %t: f32, %u: f32):
    %1 = arith.addf %s, %t : f32
    %2 = arith.maximumf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<1x512x7x7xf32>
  return %r : tensor<1x512x7x7xf32>
}
