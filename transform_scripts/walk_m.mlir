// Walks the result of a filled linalg.matmul, m rows at a time; each part is filled where it is computed.
//
// m: Rows of the result in a step.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @walk_m(
      %root: !transform.any_op {transform.readonly},
      %m: !transform.param<i64> {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %matmul tile_sizes [%m, 0]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
