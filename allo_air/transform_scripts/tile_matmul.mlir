// Tiles every linalg.matmul into an scf.forall over m x n tiles of the result.
//
// m: Rows of a tile of the result.
// n: Columns of a tile of the result.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_matmul(
      %root: !transform.any_op {transform.readonly},
      %m: !transform.param<i64> {transform.readonly},
      %n: !transform.param<i64> {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %matmul tile_sizes [%m, %n]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
