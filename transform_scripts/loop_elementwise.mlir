// Turns each operation marked `allo.scalar` into loops.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @loop_elementwise(%root: !transform.any_op {transform.readonly}) {
    %marked = transform.structured.match interface{LinalgOp} attributes {allo.scalar} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.convert_to_loops %marked : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
