// Tiles the linalg.matmul of a launch iteration for cores, m x n of the result on each.
//
// The result begins in memory space 1, and each core fills and computes its own tile.
//
// m: Rows of the result on a core.
// n: Columns of the result on a core.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @herd_gemm(
      %root: !transform.any_op {transform.readonly},
      %m: !transform.param<i64> {transform.readonly},
      %n: !transform.param<i64> {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %func = transform.get_parent_op %matmul {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op

    // The fill overwrites its destination, so it gets one of its own (as a linalg.generic, which the pattern is written for).
    %general = transform.structured.generalize %fill : (!transform.any_op) -> !transform.any_op
    %func_0 = transform.apply_registered_pass "linalg-fuse-elementwise-ops" to %func : (!transform.any_op) -> !transform.any_op
    %general_0 = transform.structured.match ops{["linalg.generic"]} in %func_0 : (!transform.any_op) -> !transform.any_op
    %fill_0 = transform.structured.specialize %general_0 : (!transform.any_op) -> !transform.any_op

    // One core a tile of that, filled there.
    %matmul_l2 = transform.structured.match ops{["linalg.matmul"]} in %func_0 : (!transform.any_op) -> !transform.any_op
    %in_herd, %herd = transform.structured.tile_using_forall %matmul_l2 tile_sizes [%m, %n]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %fill_l1, %herd_0 = transform.structured.fuse_into_containing_op %fill_0 into %herd
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %empty = transform.get_producer_of_operand %herd_0[0] : (!transform.any_op) -> !transform.op<"tensor.empty">
    %c_l2 = transform.bufferization.empty_tensor_to_alloc_tensor %empty
        : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    %l2 = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.annotate %c_l2 "memory_space" = %l2 : !transform.op<"bufferization.alloc_tensor">, !transform.param<i64>
    transform.yield
  }
}
