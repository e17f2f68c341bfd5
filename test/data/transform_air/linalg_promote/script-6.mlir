module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.air.linalg_promote %a {operands_to_promote = [2], memory_space = "L2"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
