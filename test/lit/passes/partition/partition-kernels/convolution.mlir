// RUN: allo-opt %s --partition-kernels | filecheck %s

// The image and the filter come in steps of channels, with locks of four buffers; three vectors of numbers for each channel and
// the result take the others, so what adds the last tensor is a kernel of its own.

// CHECK-LABEL: func.func private @f_convolution_0(%arg0: tensor<1x32x34x34xf32>, %arg1: tensor<32x32x3x3xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32xf32>)
// CHECK-LABEL: func.func private @f_rows_0(%arg0: tensor<1x32x32x32xf32>, %arg1: tensor<1x32x32x32xf32>)
#m = affine_map<(n, f, h, w) -> (n, f, h, w)>
#c = affine_map<(n, f, h, w) -> (f)>
func.func @f(%x: tensor<1x32x34x34xf32>, %k: tensor<32x32x3x3xf32>, %s: tensor<32xf32>, %t: tensor<32xf32>, %u: tensor<32xf32>, %y: tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %a = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %k : tensor<1x32x34x34xf32>, tensor<32x32x3x3xf32>) outs(%f : tensor<1x32x32x32xf32>) -> tensor<1x32x32x32xf32>
  %b = linalg.generic {indexing_maps = [#m, #c, #c, #c, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %s, %t, %u : tensor<1x32x32x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<1x32x32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %v: f32, %o: f32):
    %1 = arith.subf %p, %q : f32
    %2 = arith.mulf %1, %r : f32
    %3 = arith.addf %2, %v : f32
    linalg.yield %3 : f32
  } -> tensor<1x32x32x32xf32>
  %d = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b, %y : tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>) outs(%e : tensor<1x32x32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x32x32xf32>
  return %d : tensor<1x32x32x32xf32>
}
