// Tiles a linalg.batch_matmul of a filled tensor for launches: one launch iteration computes m x n of one result of the batch,
// filled there, with a linalg.matmul.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @launch_batch_gemm(
      %root: !transform.any_op {transform.readonly},
      %m: !transform.param<i64> {transform.readonly},
      %n: !transform.param<i64> {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %launch = transform.structured.tile_using_forall %matmul tile_sizes [1, %m, %n]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %filled, %launch_0 = transform.structured.fuse_into_containing_op %fill into %launch
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    // Without the batch of one, which folds in the general form.
    %general = transform.structured.generalize %tiled : (!transform.any_op) -> !transform.any_op
    %general_fill = transform.structured.generalize %filled : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %generics = transform.structured.match ops{["linalg.generic"]} in %func : (!transform.any_op) -> !transform.any_op
    transform.foreach %generics : !transform.any_op {
    ^bb0(%generic: !transform.any_op):
      %named = transform.structured.specialize %generic : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
