// RUN: allo-opt %s --expand-families | filecheck %s

// A reduction that goes on from an argument reads that, launch by launch, and writes into a tensor of its own.

// CHECK-LABEL: func.func private @largest(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<64x8xf32>, %[[A:[^:]*]]: tensor<64xf32>)
// CHECK:         %[[OUT:.*]] = tensor.empty() : tensor<64xf32>
// CHECK:         scf.forall {{.*}} shared_outs(%[[O:.*]] = %[[OUT]])
// CHECK:           %[[PART:.*]] = tensor.extract_slice %[[A]]
// CHECK:           bufferization.materialize_in_destination %[[PART]]
// CHECK:           tensor.parallel_insert_slice %{{.*}} into %[[O]]
func.func private @largest(%x: tensor<64x8xf32>, %a: tensor<64xf32>) -> tensor<64xf32>
    attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 16, 0>, core = array<i64: 4, 0>}} {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x8xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.maximumf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
