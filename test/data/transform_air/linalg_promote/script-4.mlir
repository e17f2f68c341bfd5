module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %a = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.air.linalg_promote %a {operands_to_promote = [1], memory_space = "L2"} : (!transform.any_op) -> !transform.any_op
    %b = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %q = transform.air.linalg_promote %b {operands_to_promote = [0, 2], memory_space = "L2"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
