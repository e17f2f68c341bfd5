// RUN: allo-opt %s --outline-families | filecheck %s
// RUN: allo-opt --outline-families="without=attention,grouped" %s | filecheck %s --check-prefix=WITHOUT

// Grouped heads: the broadcast of keys and values goes into the kernel, where it is an index.

// CHECK-LABEL: func.func private @attention_attention
// CHECK-SAME: (%{{.*}}: tensor<4x8x32xf32>, %{{.*}}: tensor<2x8x32xf32>, %{{.*}}: tensor<2x8x32xf32>) -> tensor<4x8x32xf32> attributes {{{.*}}allo.kernel
// CHECK: linalg.broadcast
// CHECK: linalg.softmax
// CHECK-LABEL: func.func @attention
// CHECK-NEXT: %[[R:.*]] = call @attention_attention{{.*}}(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[R]]

// WITHOUT-NOT: allo.kernel

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @attention(%q: tensor<4x8x32xf32>, %k: tensor<2x8x32xf32>, %v: tensor<2x8x32xf32>) -> tensor<4x8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<4x8x8xf32>
  %ke = tensor.empty() : tensor<2x2x8x32xf32>
  %kb = linalg.broadcast ins(%k : tensor<2x8x32xf32>) outs(%ke : tensor<2x2x8x32xf32>) dimensions = [1]
  %kc = tensor.collapse_shape %kb [[0, 1], [2], [3]] : tensor<2x2x8x32xf32> into tensor<4x8x32xf32>
  %ve = tensor.empty() : tensor<2x2x8x32xf32>
  %vb = linalg.broadcast ins(%v : tensor<2x8x32xf32>) outs(%ve : tensor<2x2x8x32xf32>) dimensions = [1]
  %vc = tensor.collapse_shape %vb [[0, 1], [2], [3]] : tensor<2x2x8x32xf32> into tensor<4x8x32xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %dots = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>,
      affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %kc : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%sf : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8x8xf32>
  %scores = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%dots : tensor<4x8x8xf32>) outs(%se : tensor<4x8x8xf32>) {
  ^bb0(%s: f32, %o: f32):
 %scale = arith.constant 0.1767766952966369 : f32
 %t = arith.mulf %s, %scale : f32
linalg.yield %t : f32
  } -> tensor<4x8x8xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<4x8x8xf32>) outs(%se : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %oe = tensor.empty() : tensor<4x8x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>,
      affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %vc : tensor<4x8x8xf32>, tensor<4x8x32xf32>) outs(%of : tensor<4x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8x32xf32>
  return %out : tensor<4x8x32xf32>
}

