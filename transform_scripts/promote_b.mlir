// Copies operand b of a linalg.matmul to memory space 1, in front of the operation.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @promote_b(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %value = transform.get_operand %matmul[1] : (!transform.any_op) -> !transform.any_value
    %l2 = transform.structured.promote_tensor to 1 %value : !transform.any_value
    transform.yield
  }
}
