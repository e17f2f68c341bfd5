// Walks the result of a filled linalg.matmul, n columns at a time; each part is filled where it is computed.
//
// n: Columns of the result in a step.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @walk_n(
      %root: !transform.any_op {transform.readonly},
      %n: !transform.param<i64> {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %matmul tile_sizes [0, %n]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
