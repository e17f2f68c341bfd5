// RUN: allo-opt %s --simplify-linalg | filecheck %s
// RUN: allo-opt %s --simplify-linalg --verify-each=execute
// RUN: allo-opt %s --pipeline='npu{device=npu1}' --verify-each=level

// A convolution keeps the batch of one element. The sum over it is no reduction, so that tiling finds its loop in the result.
// CHECK-LABEL: func.func @sums
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%{{.*}} : tensor<1x8x6x6xf32>) outs(%{{.*}} : tensor<1x8xf32>)
func.func @sums(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x6x6xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%i : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %f = tensor.empty() : tensor<1x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1x8xf32>) -> tensor<1x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, c, i, j) -> (n, c, i, j)>, affine_map<(n, c, i, j) -> (0, c)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%c : tensor<1x8x6x6xf32>) outs(%z : tensor<1x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<1x8xf32>
  return %s : tensor<1x8xf32>
}
