// RUN: allo-opt %s | filecheck %s

// Commas between the clauses of tiled reductions, as scripts had them until 2026.

// CHECK: transform.structured.tile_reduction_using_forall %{{.*}} by num_threads = [4, 0] tile_sizes = [16, 0] mapping = [#gpu.thread<x>] :
// CHECK: transform.structured.tile_reduction_using_forall %{{.*}} by num_threads = [4, 0] tile_sizes = [16, 0] :
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%g: !transform.any_op) {
    %0:4 = transform.structured.tile_reduction_using_forall %g by num_threads = [4, 0], tile_sizes = [16, 0],
      mapping = [#gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %1:4 = transform.structured.tile_reduction_using_forall %g by num_threads = [4, 0] tile_sizes = [16, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
