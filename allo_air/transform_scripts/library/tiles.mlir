// Tiles for cores and vectors of elementwise kernels; each sequence takes the module.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @flatten_tile_forall(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %flat = transform.structured.flatten_elementwise %g : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %flat {memory_space = 1, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %again = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %again num_threads [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @flatten_tile_forall_aie2p(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %flat = transform.structured.flatten_elementwise %g : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %flat {memory_space = 1, bufferize_destination_only, emit_dealloc} : !transform.any_op
    %again = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %again num_threads [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @pad_and_promote_unary_bf16(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %v0 = transform.get_operand %g[0] : (!transform.any_op) -> !transform.any_value
    %p0 = transform.structured.promote_tensor to 2 %v0 : !transform.any_value
    %buffer, %new = transform.structured.bufferize_to_allocation %g {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @pad_and_promote_unary_f32in_bf16out(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %v0 = transform.get_operand %g[0] : (!transform.any_op) -> !transform.any_value
    %p0 = transform.structured.promote_tensor to 2 %v0 : !transform.any_value
    %buffer, %new = transform.structured.bufferize_to_allocation %g {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @pad_and_promote_binary_bf16(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %v0 = transform.get_operand %g[0] : (!transform.any_op) -> !transform.any_value
    %p0 = transform.structured.promote_tensor to 2 %v0 : !transform.any_value
    %v1 = transform.get_operand %g[1] : (!transform.any_op) -> !transform.any_value
    %p1 = transform.structured.promote_tensor to 2 %v1 : !transform.any_value
    %buffer, %new = transform.structured.bufferize_to_allocation %g {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @pad_and_promote_binary_f32in_bf16out(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %v0 = transform.get_operand %g[0] : (!transform.any_op) -> !transform.any_value
    %p0 = transform.structured.promote_tensor to 2 %v0 : !transform.any_value
    %v1 = transform.get_operand %g[1] : (!transform.any_op) -> !transform.any_value
    %p1 = transform.structured.promote_tensor to 2 %v1 : !transform.any_value
    %buffer, %new = transform.structured.bufferize_to_allocation %g {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @pad_and_promote_binary_f32(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %v0 = transform.get_operand %g[0] : (!transform.any_op) -> !transform.any_value
    %p0 = transform.structured.promote_tensor to 2 %v0 : !transform.any_value
    %v1 = transform.get_operand %g[1] : (!transform.any_op) -> !transform.any_value
    %p1 = transform.structured.promote_tensor to 2 %v1 : !transform.any_value
    %buffer, %new = transform.structured.bufferize_to_allocation %g {memory_space = 2, bufferize_destination_only, emit_dealloc} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @vectorize_generics_at_16(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %g tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @vectorize_generics_at_32(%module: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %g tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
