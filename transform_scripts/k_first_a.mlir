// Orders the micro-tiles of a packed matmul's operand a with k outermost, so that steps along k lie one after the
// other.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @k_first_a(%root: !transform.any_op {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %generic[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %turned, %pack_0, %none = transform.structured.pack_transpose %pack with_compute_op(%generic) outer_perm = [1, 0]
        : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">)
        -> (!transform.op<"linalg.generic">, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
