// Vectorizes each fill of a core's tile, and each elementwise operation on it: the tile as one row, sixteen elements a time (a
// micro-tile of a result has sixteen elements, or a multiple). An operation with other operands has three loops, over blocks of
// rows, blocks of columns, and the elements of a micro-tile; its vectors are of these.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @vectorize_elementwise(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %generics = transform.structured.match ops{["linalg.generic"]} attributes {iterator_types = [
        #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]} in %root
        : (!transform.any_op) -> !transform.any_op
    %all = transform.merge_handles %fills, %generics : !transform.any_op
    transform.foreach %all : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %flat = transform.structured.flatten_elementwise %op : (!transform.any_op) -> !transform.any_op
      %tiled, %loop = transform.structured.tile_using_for %flat tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.structured.vectorize %tiled : !transform.any_op
    }
    %blocks = transform.structured.match ops{["linalg.generic"]} attributes {iterator_types = [
        #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %blocks : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [1, 1, 16]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
      transform.structured.vectorize %tiled : !transform.any_op
    }
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
