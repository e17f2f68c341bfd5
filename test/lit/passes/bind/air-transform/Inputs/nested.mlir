module {
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
      %a = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
      %g = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
  }
}
