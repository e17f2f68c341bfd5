// RUN: allo-opt %s --plan-attention="cols=2 queries=32 keys=32" --pad-families --expand-families | filecheck %s

// A causal mask: the queries of a core are four parts, so that all cores have as many that see a block of keys. A part for which a
// block is hidden stays as it is, and a block that all of its queries see needs no mask.

// CHECK: allo.plan = {{.*}}parts = 4
// CHECK: scf.for {{.*}} -> (tensor<8x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<4xf32>)
// CHECK: scf.for {{.*}} -> (tensor<8x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<8x4x4xf32>, tensor<8x4x4xf32>, tensor<4xf32>)
// CHECK: %[[FIRST:.*]] = affine.apply
// CHECK: %[[CORNER:.*]] = affine.apply
// CHECK: %[[SEES:.*]] = arith.cmpi sge, %[[CORNER]], %c0
// CHECK: scf.if %[[SEES]]
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK: %[[ALL:.*]] = arith.cmpi sge
// CHECK: scf.if %[[ALL]]
// CHECK: scf.yield %[[PRODUCTS]]
// CHECK: arith.addi {{.*}} : i32
// CHECK: arith.cmpi sge, {{.*}} : i32
// CHECK: arith.select {{.*}} : f32
// CHECK: math.exp

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m = affine_map<(b, m, n, k) -> (b, m, k)>
#n = affine_map<(b, m, n, k) -> (b, n, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @attention(%q: tensor<1x256x32xbf16>, %k: tensor<1x256x32xbf16>, %v: tensor<1x256x32xbf16>) -> tensor<1x256x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<1x256x256xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<1x256x256xf32>) -> tensor<1x256x256xf32>
  %dots = linalg.generic {indexing_maps = [#m, #n, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x256x32xbf16>, tensor<1x256x32xbf16>) outs(%sf : tensor<1x256x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %ax = arith.extf %a : bf16 to f32
    %bx = arith.extf %b : bf16 to f32
    %p = arith.mulf %ax, %bx : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x256x256xf32>
  %scores = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dots : tensor<1x256x256xf32>) outs(%se : tensor<1x256x256xf32>) {
  ^bb0(%s: f32, %o: f32):
    %scale = arith.constant 0.1767766952966369 : f32
    %t = arith.mulf %s, %scale : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %u = arith.select %c, %t, %low : f32
    linalg.yield %u : f32
  } -> tensor<1x256x256xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<1x256x256xf32>) outs(%se : tensor<1x256x256xf32>) -> tensor<1x256x256xf32>
  %oe = tensor.empty() : tensor<1x256x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x256x32xf32>) -> tensor<1x256x32xf32>
  %out = linalg.generic {indexing_maps = [#m, #kn, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<1x256x256xf32>, tensor<1x256x32xbf16>) outs(%of : tensor<1x256x32xf32>) {
  ^bb0(%a: f32, %b: bf16, %o: f32):
    %bx = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %bx : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x256x32xf32>
  %re = tensor.empty() : tensor<1x256x32xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out : tensor<1x256x32xf32>) outs(%re : tensor<1x256x32xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x256x32xbf16>
  return %result : tensor<1x256x32xbf16>
}
