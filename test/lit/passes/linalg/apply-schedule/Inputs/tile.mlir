// Tiles each sum for four cores; included from nowhere, it is where the script begins.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @four_cores(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @in_four failures(propagate) (%add) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @in_four(%op: !transform.any_op {transform.consumed}) {
    %tiled, %loop = transform.structured.tile_using_forall %op num_threads [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
