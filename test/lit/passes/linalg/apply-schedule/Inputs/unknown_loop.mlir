module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %k = "schedule.loop"(%module) {function = "f", loop = "k"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
