// RUN: allo-opt %s --plan-tiles --expand-families | filecheck %s

// Each core pads what it reads, in L1.

// CHECK-LABEL: func.func private @k
// CHECK:       scf.forall
// CHECK:         scf.forall
// CHECK:           %[[PADDED:.*]] = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<1x3x12xf32>
// CHECK:           %[[FILLED:.*]] = linalg.fill ins(%{{.*}}) outs(%[[PADDED]]
// CHECK:           %[[NEAR:.*]] = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<1x3x10xf32>
// CHECK:           %[[READ:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[NEAR]]
// CHECK:           %[[IN:.*]] = tensor.insert_slice %[[READ]] into %[[FILLED]][0, 0, 1] [1, 3, 10] [1, 1, 1]
// CHECK:           linalg.generic {{.*}} ins(%[[IN]],
func.func @main(%x: tensor<1x3x10xf32>, %w: tensor<8x3x3xf32>) -> tensor<1x8x10xf32> {
  %0 = call @k(%x, %w) : (tensor<1x3x10xf32>, tensor<8x3x3xf32>) -> tensor<1x8x10xf32>
  return %0 : tensor<1x8x10xf32>
}
func.func private @k(%x: tensor<1x3x10xf32>, %w: tensor<8x3x3xf32>) -> tensor<1x8x10xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %z : f32
  } : tensor<1x3x10xf32> to tensor<1x3x12xf32>
  %e = tensor.empty() : tensor<1x8x10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x10xf32>) -> tensor<1x8x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, x, c, u) -> (n, c, x + u)>, affine_map<(n, f, x, c, u) -> (f, c, u)>,
      affine_map<(n, f, x, c, u) -> (n, f, x)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x3x12xf32>, tensor<8x3x3xf32>) outs(%f : tensor<1x8x10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x8x10xf32>
  return %r : tensor<1x8x10xf32>
}
