transform.with_pdl_patterns {
^bb0(%root: !pdl.operation):
  transform.sequence %root : !pdl.operation failures(propagate) {
  ^bb1(%module: !pdl.operation):
    %0 = pdl_match @copies in %module : (!pdl.operation) -> !pdl.operation
  }
}
