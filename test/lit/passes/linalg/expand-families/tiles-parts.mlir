// RUN: allo-opt %s --plan-tiles | filecheck %s --check-prefix=PLAN
// RUN: allo-opt %s --plan-tiles --expand-families | filecheck %s

// 64 images of 32 x 32 do not fit into a core beside their padding: it takes some channels after others.

// PLAN: piece = 2 : i64
// PLAN: linalg.generic {{.*}} attrs = {allo.reduce = array<i64: 0, 0, 0, 0, 0, 2, 0, 0>}

// CHECK-LABEL: func.func private @k
// CHECK:       scf.forall
// CHECK:         scf.forall
// CHECK:           %[[SUM:.*]] = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<1x1x1x30x30xf32>
// CHECK:           %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[SUM]]
// CHECK:           scf.for %[[C:.*]] = %c0 to %c64 step %c2 iter_args(%[[NOW:.*]] = %[[ZERO]])
// CHECK:             tensor.extract_slice %{{.*}}[0, %[[C]], 0, 0] [1, 2, 30, 30]
// CHECK:             bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<1x2x32x32xf32>
// CHECK:             %[[IN:.*]] = tensor.insert_slice
// CHECK:             bufferization.materialize_in_destination {{.*}} -> tensor<1x1x2x3x3xf32>
// CHECK:             linalg.generic {{.*}} ins(%[[IN]], {{.*}}) outs(%[[NOW]]
// CHECK:             scf.yield
func.func @main(%x: tensor<1x64x30x30xf32>, %w: tensor<16x64x3x3xf32>) -> tensor<1x16x30x30xf32> {
  %0 = call @k(%x, %w) : (tensor<1x64x30x30xf32>, tensor<16x64x3x3xf32>) -> tensor<1x16x30x30xf32>
  return %0 : tensor<1x16x30x30xf32>
}
func.func private @k(%x: tensor<1x64x30x30xf32>, %w: tensor<16x64x3x3xf32>) -> tensor<1x16x30x30xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<1x64x30x30xf32> to tensor<1x64x32x32xf32>
  %e = tensor.empty() : tensor<1x16x30x30xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x30x30xf32>) -> tensor<1x16x30x30xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, y, x, c, u, v) -> (n, c, y + u, x + v)>,
      affine_map<(n, f, y, x, c, u, v) -> (f, c, u, v)>, affine_map<(n, f, y, x, c, u, v) -> (n, f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x64x32x32xf32>, tensor<16x64x3x3xf32>) outs(%f : tensor<1x16x30x30xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16x30x30xf32>
  return %r : tensor<1x16x30x30xf32>
}
