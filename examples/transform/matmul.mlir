// A block of a matrix product: tiles of 32 x 32 on the cores, K in slices of 32, buffers in L2 and L1; the cores' code is left to
// the compiler. For any block and K that 32 divides, with up to 4 x 4 tiles, and any element types.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %fill {memory_space = 1, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %product = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %product tile_sizes [32, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %zero = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op
    %clear, %cores = transform.structured.fuse_into_containing_op %zero into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %l1, %made = transform.structured.bufferize_to_allocation %clear {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %slice, %k = transform.structured.tile_using_for %tile tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @one_shot_bufferize failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @post_bufferize_cleanup failures(propagate) (%module) : (!transform.any_op) -> ()
    %forall = transform.structured.match ops{["scf.forall"]} in %module : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %forall : (!transform.any_op) -> !transform.any_op
    %herd = transform.air.par_to_herd %parallel : (!transform.any_op) -> !transform.any_op
    %work = transform.structured.match ops{["linalg.matmul"]} in %herd : (!transform.any_op) -> !transform.any_op
    %near = transform.air.linalg_promote %work {operands_to_promote = [0, 1], memory_space = "L1"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
