// Turns each packed matmul in L1 that is marked `allo.mac` into loops over micro-tiles whose body is one vector.contract.
//
// The operands are extended, and the accumulator is carried through the loop over k. mlir-aie turns this form into MAC
// instructions (docs/sources.md#core-kernels).

module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize_gemm(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.generic"]} attributes {iterator_types = [
        #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>,
        #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], allo.mac} in %root
        : (!transform.any_op) -> !transform.any_op
    %in_tile, %tiles:2 = transform.structured.tile_using_for %matmul tile_sizes [1, 1, 0, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %in_k, %k = transform.structured.tile_using_for %in_tile tile_sizes [0, 0, 1, 0, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %in_k : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.drop_unit_dims_with_shape_cast
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.sink_ops
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %hoisted = transform.structured.hoist_redundant_vector_transfers %func : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
