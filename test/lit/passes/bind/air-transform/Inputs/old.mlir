transform.sequence failures(propagate) {
^bb0(%m: !transform.any_op):
  %a = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
}
