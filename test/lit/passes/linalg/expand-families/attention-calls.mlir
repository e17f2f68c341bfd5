// RUN: allo-opt %s --plan-attention="queries=4 keys=8" --pad-families --expand-families | filecheck %s

// A kernel: its calls pass longer tensors, zero beyond what they hold, and take the front of the result.

// CHECK-LABEL: func.func @main
// CHECK: %[[K:.*]] = tensor.pad %arg1 low[0, 0, 0] high[0, {{[0-9]+}}, 0]
// CHECK: %[[R:.*]] = call @attention(%{{.*}}, %[[K]]
// CHECK: tensor.extract_slice %[[R]][0, 0, 0] [1, 13, 32]

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func private @attention(%q: tensor<1x13x32xf32>, %k: tensor<1x11x32xf32>, %v: tensor<1x11x32xf32>) -> tensor<1x13x32xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<1x13x11xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<1x13x11xf32>) -> tensor<1x13x11xf32>
  %dots = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
      affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x13x32xf32>, tensor<1x11x32xf32>) outs(%sf : tensor<1x13x11xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x13x11xf32>
  %scores = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dots : tensor<1x13x11xf32>) outs(%se : tensor<1x13x11xf32>) {
  ^bb0(%s: f32, %o: f32):
 %scale = arith.constant 0.1767766952966369 : f32
 %t = arith.mulf %s, %scale : f32
linalg.yield %t : f32
  } -> tensor<1x13x11xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<1x13x11xf32>) outs(%se : tensor<1x13x11xf32>) -> tensor<1x13x11xf32>
  %oe = tensor.empty() : tensor<1x13x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x13x32xf32>) -> tensor<1x13x32xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>,
      affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<1x13x11xf32>, tensor<1x11x32xf32>) outs(%of : tensor<1x13x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x13x32xf32>
  return %out : tensor<1x13x32xf32>
}

func.func @main(%q: tensor<1x13x32xf32>, %k: tensor<1x11x32xf32>, %v: tensor<1x11x32xf32>) -> tensor<1x13x32xf32> {
  %o = call @attention(%q, %k, %v) : (tensor<1x13x32xf32>, tensor<1x11x32xf32>, tensor<1x11x32xf32>) -> tensor<1x13x32xf32>
  return %o : tensor<1x13x32xf32>
}
