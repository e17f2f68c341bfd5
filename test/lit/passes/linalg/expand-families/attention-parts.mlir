// RUN: allo-opt %s --plan-attention="cols=1 queries=8 keys=16" --pad-families --expand-families | filecheck %s
// RUN: allo-opt %s --plan-attention="cols=1 queries=8 keys=16" --pad-families --expand-families --verify-each=execute -o /dev/null

// f32 is in the micro-tiles of bf16, and stays f32: its products are split after this. Powers have all bits.

// CHECK: linalg.pack {{.*}} : tensor<16x32xf32> -> tensor<4x4x4x8xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK: math.exp {{.*}} fastmath<ninf> : f32
// CHECK-NOT: arith.truncf {{.*}} : f32 to bf16
// CHECK: linalg.yield
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m = affine_map<(b, m, n, k) -> (b, m, k)>
#n = affine_map<(b, m, n, k) -> (b, n, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

func.func @attention(%q: tensor<1x32x32xf32>, %k: tensor<1x32x32xf32>, %v: tensor<1x32x32xf32>) -> tensor<1x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %dots = linalg.generic {indexing_maps = [#m, #n, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x32x32xf32>, tensor<1x32x32xf32>) outs(%init : tensor<1x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x32x32xf32>
  %weights = linalg.softmax dimension(2) ins(%dots : tensor<1x32x32xf32>) outs(%e : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %out = linalg.generic {indexing_maps = [#m, #kn, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<1x32x32xf32>, tensor<1x32x32xf32>) outs(%init : tensor<1x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x32x32xf32>
  return %out : tensor<1x32x32xf32>
}
