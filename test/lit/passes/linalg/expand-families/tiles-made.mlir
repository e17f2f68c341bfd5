// RUN: allo-opt %s --expand-families --canonicalize | filecheck %s

// A kernel that reads nothing has no copies in L2, by which a loop over launches is known: where one core works, whose loop is
// folded away, its results go through L2.

// CHECK-LABEL: func.func private @one
// CHECK:         scf.forall
// CHECK-NOT:     scf.forall
// CHECK:           %[[MADE:.*]] = linalg.generic
// CHECK:           %[[NEAR:.*]] = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<1x325xi32>
// CHECK:           %[[COPY:.*]] = bufferization.materialize_in_destination %[[MADE]] in %[[NEAR]]
// CHECK:           tensor.parallel_insert_slice %[[COPY]]
func.func private @one(%unread: tensor<8xi8>) -> tensor<5x325xi32> attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 1, 325>, core = array<i64: 1, 325>}} {
  %c = arith.constant 7 : i32
  %e = tensor.empty() : tensor<5x325xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x325xi32>) {
  ^bb0(%o: i32):
    linalg.yield %c : i32
  } -> tensor<5x325xi32>
  return %r : tensor<5x325xi32>
}

// Several cores write to L2 in any case.

// CHECK-LABEL: func.func private @four
// CHECK-NOT:     materialize_in_destination
// CHECK:         return
func.func private @four() -> tensor<8x64xi32> attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 4, 64>, core = array<i64: 1, 64>}} {
  %c = arith.constant 7 : i32
  %e = tensor.empty() : tensor<8x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x64xi32>) {
  ^bb0(%o: i32):
    linalg.yield %c : i32
  } -> tensor<8x64xi32>
  return %r : tensor<8x64xi32>
}
