// Writes each named linalg operation marked `allo.generalize` as a linalg.generic.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @generalize_marked(%root: !transform.any_op {transform.readonly}) {
    %named = transform.structured.match interface{LinalgOp} attributes {allo.generalize} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %named : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %generic = transform.structured.generalize %op : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
