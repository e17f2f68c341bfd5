module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.structured.match ops{["linalg.transpose", "linalg.reduce", "linalg.broadcast", "linalg.map"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.air.linalg_promote %a {memory_space = "L1"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
