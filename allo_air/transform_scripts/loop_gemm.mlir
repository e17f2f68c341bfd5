// Adds the loop over k to a packed matmul, with k_blocks micro-tiles in a step.
//
// Each step packs its slices of the operands into memory space 2. The result stays there for the whole loop.
//
// k_blocks: Micro-tiles along k in a step of the loop.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @loop_gemm(
      %root: !transform.any_op {transform.readonly},
      %k_blocks: !transform.param<i64> {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %transposed = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // The loop over k, which packs its own slices of the operands into L1.
    %in_loop, %loop = transform.structured.tile_using_for %transposed tile_sizes [0, 0, %k_blocks]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %packs = transform.structured.match ops{["linalg.pack"]} in %func : (!transform.any_op) -> !transform.any_op
    %packs_a, %packs_b = transform.split_handle %packs : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused_a, %loop_0 = transform.structured.fuse_into_containing_op %packs_a into %loop
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused_b, %loop_1 = transform.structured.fuse_into_containing_op %packs_b into %loop_0
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %to_l1 = transform.structured.match ops{["linalg.pack"]} in %func : (!transform.any_op) -> !transform.any_op
    %a_to_l1, %b_to_l1 = transform.split_handle %to_l1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a_l1, %a_ops = transform.structured.bufferize_to_allocation %a_to_l1
        {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %b_l1, %b_ops = transform.structured.bufferize_to_allocation %b_to_l1
        {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %fill_packed = transform.structured.match ops{["linalg.fill"]} in %func : (!transform.any_op) -> !transform.any_op
    %c_l1, %c_l1_ops = transform.structured.bufferize_to_allocation %fill_packed
        {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.yield
  }
}
