// RUN: allo-opt %s --plan-attention="cols=1 queries=8 keys=16" --pad-families --expand-families | filecheck %s

// bf16 in the micro-tiles of MAC instructions: keys by queries, values by keys; sums of powers are products with ones. The
// powers are made at once, and once more where a score leaves their range, which moves the references of the queries.

// CHECK: linalg.pack {{.*}} inner_tiles = [4, 8]
// CHECK: scf.for
// CHECK: linalg.pack {{.*}} inner_dims_pos = [0, 1] inner_tiles = [4, 8] into {{.*}} : tensor<16x32xbf16> -> tensor<4x4x4x8xbf16>
// CHECK: linalg.pack {{.*}} inner_dims_pos = [0, 1] inner_tiles = [8, 4] into {{.*}} : tensor<16x32xbf16> -> tensor<2x8x8x4xbf16>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK: math.exp {{.*}} fastmath<nnan,ninf> : f32
// CHECK: arith.maxsi
// CHECK: scf.if
// CHECK: scf.if
// CHECK: arith.minsi
// CHECK: math.exp {{.*}} fastmath<nnan,ninf> : f32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m = affine_map<(b, m, n, k) -> (b, m, k)>
#n = affine_map<(b, m, n, k) -> (b, n, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

func.func @attention(%q: tensor<1x32x32xbf16>, %k: tensor<1x32x32xbf16>, %v: tensor<1x32x32xbf16>) -> tensor<1x32x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<1x32x32xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %dots = linalg.generic {indexing_maps = [#m, #n, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x32x32xbf16>, tensor<1x32x32xbf16>) outs(%sf : tensor<1x32x32xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %ax = arith.extf %a : bf16 to f32
    %bx = arith.extf %b : bf16 to f32
    %p = arith.mulf %ax, %bx : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x32x32xf32>
  %scores = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dots : tensor<1x32x32xf32>) outs(%se : tensor<1x32x32xf32>) {
  ^bb0(%s: f32, %o: f32):
    %scale = arith.constant 0.1767766952966369 : f32
    %t = arith.mulf %s, %scale : f32
    linalg.yield %t : f32
  } -> tensor<1x32x32xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<1x32x32xf32>) outs(%se : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %oe = tensor.empty() : tensor<1x32x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %out = linalg.generic {indexing_maps = [#m, #kn, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<1x32x32xf32>, tensor<1x32x32xbf16>) outs(%of : tensor<1x32x32xf32>) {
  ^bb0(%a: f32, %b: bf16, %o: f32):
    %bx = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %bx : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x32x32xf32>
  %re = tensor.empty() : tensor<1x32x32xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out : tensor<1x32x32xf32>) outs(%re : tensor<1x32x32xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x32x32xbf16>
  return %result : tensor<1x32x32xbf16>
}
