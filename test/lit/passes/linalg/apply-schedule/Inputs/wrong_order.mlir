module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %j = "schedule.loop"(%module) {function = "g", loop = "j"} : (!transform.any_op) -> !transform.any_op
    %i = "schedule.loop"(%module) {function = "g", loop = "i"} : (!transform.any_op) -> !transform.any_op
    "schedule.reorder"(%j, %i) : (!transform.any_op, !transform.any_op) -> ()
    transform.yield
  }
}
