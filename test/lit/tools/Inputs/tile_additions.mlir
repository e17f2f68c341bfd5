// Tiles what cannot be tiled.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_additions(%root: !transform.any_op {transform.readonly}) {
    %found = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %found tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
