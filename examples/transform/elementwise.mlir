// One kernel of elementwise operations: fused, 4 cores along the block, buffers in L2 and L1; the cores' vectors are left to the
// compiler. For any block that 4 divides, any number of operands and any element type.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    transform.include @fuse_elementwise_and_canonicalize failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @flatten_tile_forall failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @one_shot_bufferize failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @post_bufferize_cleanup failures(propagate) (%module) : (!transform.any_op) -> ()
    %forall = transform.structured.match ops{["scf.forall"]} in %module : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %forall : (!transform.any_op) -> !transform.any_op
    %herd = transform.air.par_to_herd %parallel : (!transform.any_op) -> !transform.any_op
    %work = transform.structured.match ops{["linalg.generic"]} in %herd : (!transform.any_op) -> !transform.any_op
    %near = transform.air.linalg_promote %work {memory_space = "L1"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
