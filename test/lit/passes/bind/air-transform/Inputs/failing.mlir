module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
