// Tiles a linalg.matmul of a filled tensor for launches: one launch iteration fills and computes m x n of the result.
//
// m: Rows of the result in a launch.
// n: Columns of the result in a launch.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @launch_gemm(
      %root: !transform.any_op {transform.readonly},
      %m: !transform.param<i64> {transform.readonly},
      %n: !transform.param<i64> {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %launch = transform.structured.tile_using_forall %matmul tile_sizes [%m, %n]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %filled, %launch_0 = transform.structured.fuse_into_containing_op %fill into %launch
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
