module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %i = "schedule.loop"(%module) {function = "f", loop = "i"} : (!transform.any_op) -> !transform.any_op
    "schedule.split"(%i) {factor = 4 : i64} : (!transform.any_op) -> ()
    %j = "schedule.loop"(%module) {function = "f", loop = "nest:j"} : (!transform.any_op) -> !transform.any_op
    "schedule.reuse_at"(%j) {tensor = "A", buffer = "A_j_reuse"} : (!transform.any_op) -> ()
    transform.yield
  }
}
