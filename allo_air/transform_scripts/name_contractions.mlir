// Writes each linalg.generic that is a matrix multiplication, batched or not, as linalg.matmul or linalg.batch_matmul.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @name_contractions(%root: !transform.any_op {transform.readonly}) {
    %generics = transform.structured.match ops{["linalg.generic"]} attributes {allo.contraction} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %generics : !transform.any_op {
    ^bb0(%generic: !transform.any_op):
      %named = transform.structured.specialize %generic : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
