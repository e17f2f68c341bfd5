// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions='device=npu2' | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions='device=npu2' --verify-each=execute | filecheck %s

// An epilogue that is a kernel of its own works on the convolution's blocks. What another kernel of the same blocks gives, here
// the first result, which the second one adds, stays packed.

// CHECK:       func.func private @block_convolution_0_after(%arg0: [[B:tensor<1x7x1x[0-9x]+xf32>]], %arg1: tensor<{{[0-9]+x[0-9]+x[0-9]+x[0-9]+}}xf32>)
// CHECK:       func.func private @block_convolution_1_after(%arg0: [[B]], %arg1: tensor<{{.*}}>, %arg2: [[B]])
// CHECK-LABEL: func.func @block(
// CHECK:         %[[C:.*]] = call @block_convolution_0(
// CHECK:         %[[R:.*]] = call @block_convolution_0_after(%[[C]],
// CHECK:         %[[D:.*]] = call @block_convolution_0(
// CHECK:         call @block_convolution_1_after(%[[D]], {{.*}}, %[[R]])
// CHECK:         return
func.func @block(%x: tensor<1x256x14x14xf32>, %w: tensor<256x256x3x3xf32>, %v: tensor<256x256x3x3xf32>, %b: tensor<256xf32>) -> tensor<1x256x14x14xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x256x14x14xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>,
      affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x256x14x14xf32>, tensor<256xf32>) outs(%e : tensor<1x256x14x14xf32>) {
  ^bb0(%s: f32, %t: f32, %u: f32):
    %1 = arith.addf %s, %t : f32
    %2 = arith.maximumf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<1x256x14x14xf32>
  %q = tensor.pad %r low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x256x14x14xf32> to tensor<1x256x16x16xf32>
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%q, %v : tensor<1x256x16x16xf32>, tensor<256x256x3x3xf32>) outs(%f : tensor<1x256x14x14xf32>) -> tensor<1x256x14x14xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f)>,
      affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%d, %b, %r : tensor<1x256x14x14xf32>, tensor<256xf32>, tensor<1x256x14x14xf32>) outs(%e : tensor<1x256x14x14xf32>) {
  ^bb0(%s: f32, %t: f32, %o: f32, %u: f32):
    %1 = arith.addf %s, %t : f32
    %2 = arith.addf %1, %o : f32
    linalg.yield %2 : f32
  } -> tensor<1x256x14x14xf32>
  return %a : tensor<1x256x14x14xf32>
}
