// Cleaning up between the steps of a script; each sequence takes the module.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @canonicalize_with_cse(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }

  transform.named_sequence @canonicalize_with_fold_dims(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }

  transform.named_sequence @one_shot_bufferize(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @post_bufferize_cleanup(%module: !transform.any_op {transform.readonly}) {
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    %copies = transform.structured.match ops{["linalg.copy"]} in %module : (!transform.any_op) -> !transform.any_op
    %plain = transform.structured.linalg_copy_to_memref %copies : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.air.remove_uninitialized_copy %f : (!transform.any_op) -> !transform.any_op
    %h = transform.air.eliminate_cascade_memcpy %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @fuse_elementwise_and_canonicalize(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %g = transform.air.fuse_elementwise_linalg %f : (!transform.any_op) -> !transform.any_op
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.yield
  }

  transform.named_sequence @post_vectorize_reduce_cleanup(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
    } : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }
}
