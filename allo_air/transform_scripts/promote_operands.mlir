// Copies operands of a linalg.matmul to memory space 1, in front of the operation.
//
// operands: The operands' numbers, 0 for a.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @promote_operands(
      %root: !transform.any_op {transform.readonly},
      %operands: !transform.any_param {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %values = transform.get_operand %matmul[0] {allo.bind = {raw_position_list = "operands"}} : (!transform.any_op) -> !transform.any_value
    %l2 = transform.structured.promote_tensor to 1 %values : !transform.any_value
    transform.yield
  }
}
