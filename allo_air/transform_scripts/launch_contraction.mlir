// Tiles a contraction of a filled tensor, marked `allo.contraction`, for launches.
//
// One launch iteration fills m x n of the result and computes it with a linalg.matmul.
//
// sizes: 1 for each loop around the matrix multiplication, then rows and columns (m, n) of its result in a launch.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @launch_contraction(
      %root: !transform.any_op {transform.readonly},
      %sizes: !transform.any_param {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %contraction = transform.structured.match attributes {allo.contraction} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %launch = transform.structured.tile_using_forall %contraction tile_sizes *(%sizes)
        : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    %filled, %launch_0 = transform.structured.fuse_into_containing_op %fill into %launch
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)

    // Without the loops of one, which fold in the general form.
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
