// RUN: allo-opt %s --partition-kernels | filecheck %s

// Each slice of an argument comes into a buffer of its own, with two locks: four rows of two arguments, four tensors and the
// result are more than the sixteen locks of a core, so two kernels compute this.

// CHECK-COUNT-2: func.func private
// CHECK-NOT:     func.func private
// CHECK-LABEL:   func.func @f
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (0, j)>
func.func @f(%x0: tensor<2x40xf32>, %x1: tensor<2x40xf32>, %y0: tensor<2x40xf32>, %y1: tensor<2x40xf32>, %y2: tensor<2x40xf32>, %y3: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %e = tensor.empty() : tensor<2x40xf32>
  %s0 = tensor.extract_slice %x0[0, 0] [1, 40] [1, 1] : tensor<2x40xf32> to tensor<1x40xf32>
  %s1 = tensor.extract_slice %x0[1, 0] [1, 40] [1, 1] : tensor<2x40xf32> to tensor<1x40xf32>
  %s2 = tensor.extract_slice %x1[0, 0] [1, 40] [1, 1] : tensor<2x40xf32> to tensor<1x40xf32>
  %s3 = tensor.extract_slice %x1[1, 0] [1, 40] [1, 1] : tensor<2x40xf32> to tensor<1x40xf32>
  %a0 = linalg.generic {indexing_maps = [#m, #m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%y0, %y0, %s0 : tensor<2x40xf32>, tensor<2x40xf32>, tensor<1x40xf32>) outs(%e : tensor<2x40xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %u = arith.addf %p, %q : f32
    %v = arith.mulf %u, %r : f32
    linalg.yield %v : f32
  } -> tensor<2x40xf32>
  %a1 = linalg.generic {indexing_maps = [#m, #m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %y1, %s1 : tensor<2x40xf32>, tensor<2x40xf32>, tensor<1x40xf32>) outs(%e : tensor<2x40xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %u = arith.addf %p, %q : f32
    %v = arith.mulf %u, %r : f32
    linalg.yield %v : f32
  } -> tensor<2x40xf32>
  %a2 = linalg.generic {indexing_maps = [#m, #m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%a1, %y2, %s2 : tensor<2x40xf32>, tensor<2x40xf32>, tensor<1x40xf32>) outs(%e : tensor<2x40xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %u = arith.addf %p, %q : f32
    %v = arith.mulf %u, %r : f32
    linalg.yield %v : f32
  } -> tensor<2x40xf32>
  %a3 = linalg.generic {indexing_maps = [#m, #m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%a2, %y3, %s3 : tensor<2x40xf32>, tensor<2x40xf32>, tensor<1x40xf32>) outs(%e : tensor<2x40xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %u = arith.addf %p, %q : f32
    %v = arith.mulf %u, %r : f32
    linalg.yield %v : f32
  } -> tensor<2x40xf32>
  return %a3 : tensor<2x40xf32>
}
