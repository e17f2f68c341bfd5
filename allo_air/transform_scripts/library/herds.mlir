// Loops become herds, copies in them DMA, linalg in them vectors; each sequence takes the module and yields the herds.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @air_herd_mapping_and_vectorize(%module: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %forall = transform.structured.match ops{["scf.forall"]} in %module : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %forall : (!transform.any_op) -> !transform.any_op
    %herd = transform.air.par_to_herd %parallel : (!transform.any_op) -> !transform.any_op
    %copies = transform.structured.match ops{["memref.copy"]} in %herd : (!transform.any_op) -> !transform.any_op
    %dmas = transform.air.copy_to_dma %copies : (!transform.any_op) -> !transform.any_op
    %vectors = transform.air.herd_vectorize %herd : (!transform.any_op) -> !transform.any_op
    transform.yield %vectors : !transform.any_op
  }

  transform.named_sequence @air_herd_mapping_with_extern_and_vectorize(%module: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %forall = transform.structured.match ops{["scf.forall"]} in %module : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %forall : (!transform.any_op) -> !transform.any_op
    %herd = transform.air.par_to_herd %parallel : (!transform.any_op) -> !transform.any_op
    %file = transform.param.constant "extern_func.o" -> !transform.any_param
    transform.annotate %herd "link_with" = %file : !transform.any_op, !transform.any_param
    %copies = transform.structured.match ops{["memref.copy"]} in %herd : (!transform.any_op) -> !transform.any_op
    %dmas = transform.air.copy_to_dma %copies : (!transform.any_op) -> !transform.any_op
    %vectors = transform.air.herd_vectorize %herd : (!transform.any_op) -> !transform.any_op
    transform.yield %vectors : !transform.any_op
  }
}
