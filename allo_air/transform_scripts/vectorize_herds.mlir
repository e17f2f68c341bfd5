// Vectorizes the linalg operations and copies in every herd, and lowers what vectorization leaves behind.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize_herds(%root: !transform.any_op {transform.readonly}) {
    %herds = transform.structured.match ops{["air.herd"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %herds : !transform.any_op {
    ^bb0(%herd: !transform.any_op):
      %done = transform.structured.vectorize_children_and_apply_patterns %herd : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
