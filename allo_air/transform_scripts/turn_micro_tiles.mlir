// Transposes the micro-tiles of a packed matmul's operand.
//
// operand: The operand's number, 0 for a.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @turn_micro_tiles(
      %root: !transform.any_op {transform.readonly},
      %operand: !transform.param<i64> {transform.readonly}) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %generic[0] {allo.bind = {operand_number = "operand"}}
        : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %turned, %pack_0, %none = transform.structured.pack_transpose %pack with_compute_op(%generic) inner_perm = [1, 0]
        : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">)
        -> (!transform.op<"linalg.generic">, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
