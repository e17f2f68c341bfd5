// Tiles the operation marked `allo.taken` in an scf.for along the loop that `sizes` selects.
//
// Pads marked `allo.part` are tiled with it.
//
// sizes: The size of a part for each loop of the operation, 0 for loops that are not tiled.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @cut_reduction(
      %function: !transform.any_op {transform.readonly},
      %sizes: !transform.any_param {transform.readonly}) {
    %marked = transform.structured.match attributes {allo.taken} in %function : (!transform.any_op) -> !transform.any_op
    %pads = transform.structured.match attributes {allo.part} in %function : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %marked tile_sizes [1] {allo.bind = {static_sizes = "sizes"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %same = transform.structured.fuse_into_containing_op %pads into %loop
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %function {} : !transform.any_op
    transform.yield
  }
}
