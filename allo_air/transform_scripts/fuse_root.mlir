// Tiles the operation marked `allo.root` by `sizes` in an scf.forall, and fuses its producers into the loop.
//
// sizes: The size of a tile for each loop of the operation, 0 for loops that are not tiled.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @fuse_root(
      %function: !transform.any_op {transform.readonly},
      %sizes: !transform.any_param {transform.readonly}) {
    %marked = transform.structured.match attributes {allo.root} in %function : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %marked tile_sizes [1] {use_forall, allo.bind = {static_tile_sizes = "sizes"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_cse to %function : !transform.any_op
    transform.apply_patterns to %function {} : !transform.any_op
    transform.yield
  }
}
