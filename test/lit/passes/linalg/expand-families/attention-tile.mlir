// RUN: allo-opt %s --plan-attention="queries=3 keys=16" --pad-families --expand-families | filecheck %s

// Keys come block by block; those that are padded do not count; the arguments are padded by the host.

// CHECK-LABEL: func.func @attention
// CHECK-SAME: tensor<2x{{[0-9]+}}x32xf32>, %{{.*}}: tensor<2x64x32xf32>, %{{.*}}: tensor<2x64x32xf32>
// CHECK-SAME: allo_air.host_shapes = [array<i64: 2, 37, 32>, array<i64: 2, 53, 32>, array<i64: 2, 53, 32>, array<i64: 2, 37, 32>]
// CHECK: scf.forall (%{{.*}}) in (2)
// CHECK: bufferization.alloc_tensor() {memory_space = 1 : i64}
// CHECK: scf.forall (%[[X:.*]], %[[Y:.*]]) in
// CHECK: scf.for %[[KEY:.*]] = %{{.*}} iter_args(%{{.*}}, %{{.*}}, %{{.*}}) -> (tensor<3x32xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: tensor.extract_slice %{{.*}}[%[[KEY]], 0] [16, 32]
// CHECK: bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<16x32xf32>
// CHECK: %[[INDEX:.*]] = linalg.index 1
// CHECK: %[[NUMBER:.*]] = arith.addi %[[INDEX]], %[[KEY]]
// CHECK: arith.cmpi slt, %[[NUMBER]], %c53
// CHECK: arith.select
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: scf.yield
// CHECK: arith.divf
// CHECK-NOT: linalg.softmax

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

