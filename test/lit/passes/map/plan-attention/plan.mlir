// RUN: allo-opt %s --plan-attention --pad-families | filecheck %s
// RUN: allo-opt %s --plan-attention="device=npu2 cols=2" --pad-families | filecheck %s --check-prefix=TWO
// RUN: allo-opt %s --plan-attention="queries=8 keys=16" --pad-families | filecheck %s --check-prefix=GIVEN

// The plan of a function that is attention as a whole; 37 queries and 53 keys are padded to whole tiles.

// CHECK: allo.plan = {chosen = "herd 4x4, {{[0-9]+}} queries a core, {{[0-9]+}} keys a step, L1 {{[0-9]+}} bytes; about {{.*}} cycles"
// CHECK-SAME: cores = array<i64: 4, 4>
// TWO: cores = array<i64: 2, 4>
// GIVEN: core = array<i64: 8, 16>, cores = array<i64: {{[124]}}, {{[124]}}>, family = "attention", micro = array<i64: 4, 8, 4>, padded = array<i64: {{64|128|40|48}}, 64>, piece = 16 : i64, routes = [{operand = "q"

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @attention(%q: tensor<2x37x32xf32>, %k: tensor<2x53x32xf32>, %v: tensor<2x53x32xf32>) -> tensor<2x37x32xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x37x53xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x37x53xf32>) -> tensor<2x37x53xf32>
  %dots = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
      affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x37x32xf32>, tensor<2x53x32xf32>) outs(%sf : tensor<2x37x53xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x37x53xf32>
  %scores = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dots : tensor<2x37x53xf32>) outs(%se : tensor<2x37x53xf32>) {
  ^bb0(%s: f32, %o: f32):
 %scale = arith.constant 0.1767766952966369 : f32
 %t = arith.mulf %s, %scale : f32
linalg.yield %t : f32
  } -> tensor<2x37x53xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<2x37x53xf32>) outs(%se : tensor<2x37x53xf32>) -> tensor<2x37x53xf32>
  %oe = tensor.empty() : tensor<2x37x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x37x32xf32>) -> tensor<2x37x32xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>,
      affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<2x37x53xf32>, tensor<2x53x32xf32>) outs(%of : tensor<2x37x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x37x32xf32>
  return %out : tensor<2x37x32xf32>
}

