// Orders the micro-tiles of a packed matmul's result column by column, so that a row of the tile is one stride.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @n_first_c(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.match ops{["linalg.generic"]} in %func : (!transform.any_op) -> !transform.op<"linalg.generic">
    %unpack = transform.structured.match ops{["linalg.unpack"]} in %func : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %turned, %pack, %unpack_0 = transform.structured.pack_transpose %unpack with_compute_op(%generic) outer_perm = [1, 0]
        : (!transform.op<"linalg.unpack">, !transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.yield
  }
}
