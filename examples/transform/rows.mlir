// Kernels on a block of rows that reduce along a row (softmax, norms, pooling): a row a core, everything that makes a row's result
// fused into the cores' loop, buffers in L2 and L1; the cores' vectors are left to the compiler. For any block of rows up to the
// array's columns, any length of rows and any number of reductions.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    transform.include @fuse_elementwise_and_canonicalize failures(propagate) (%module) : (!transform.any_op) -> ()
    %reduces = transform.structured.match ops{["linalg.reduce"]} in %module : (!transform.any_op) -> !transform.any_op
    %turned = transform.air.transpose_reduce %reduces : (!transform.any_op) -> !transform.any_op
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    %plain = transform.structured.match ops{["linalg.reduce"]} in %module : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %plain : (!transform.any_op) -> !transform.any_op
    // What is stored: a row of it a core, with all that leads to it.
    %store = transform.structured.match ops{["bufferization.materialize_in_destination"]} in %module : (!transform.any_op) -> !transform.any_op
    %last = transform.get_producer_of_operand %store[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %last "result" : !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %last {memory_space = 1, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %result = transform.structured.match ops{["linalg.generic"]} attributes {result} in %module : (!transform.any_op) -> !transform.any_op
    %row, %loop = transform.structured.fuse %result tile_sizes [1] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @one_shot_bufferize failures(propagate) (%module) : (!transform.any_op) -> ()
    transform.include @post_bufferize_cleanup failures(propagate) (%module) : (!transform.any_op) -> ()
    %forall = transform.structured.match ops{["scf.forall"]} in %module : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %forall : (!transform.any_op) -> !transform.any_op
    %herd = transform.air.par_to_herd %parallel : (!transform.any_op) -> !transform.any_op
    transform.include @canonicalize_with_cse failures(propagate) (%module) : (!transform.any_op) -> ()
    %local = transform.air.override_memref_memory_space %herd {memory_space = 2 : i32} : (!transform.any_op) -> !transform.any_op
    %work = transform.structured.match ops{["linalg.generic", "linalg.fill"]} in %local : (!transform.any_op) -> !transform.any_op
    %near = transform.air.linalg_promote %work {memory_space = "L1"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
