// Splits the reduction marked `allo.split` into `parts` separate reductions and a reduction of their results.
//
// parts: Number of separate reductions.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @split_reduction(%function: !transform.any_op {transform.readonly}, %parts: !transform.param<i64> {transform.readonly}) {
    %marked = transform.structured.match attributes {allo.split} in %function : (!transform.any_op) -> !transform.any_op
    %0:4 = transform.structured.split_reduction %marked {split_factor = 2, insert_split_dimension = 0, allo.bind = {split_factor = "parts"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
