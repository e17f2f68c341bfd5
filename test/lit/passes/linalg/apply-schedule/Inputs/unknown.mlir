module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.metch ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %low, %high = transform.structured.split %add after 99 {dimension = 7} : !transform.any_op
    transform.yield
  }
}
