// Packs a tiled linalg.matmul to micro-tiles of 4 x 8 x 2 (m, n, k), the fill of its result with it.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @pack_gemm_4x8x2(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %matmul packed_sizes = [4, 8, 2] : (!transform.any_op) -> !transform.any_op

    // B's micro-tiles as k x n, row by row; the result's micro-tiles column by column, so that a row of the tile is one stride.
    %generic = transform.structured.match ops{["linalg.generic"]} in %func : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack_b = transform.get_producer_of_operand %generic[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %with_b, %pack_b_0, %none = transform.structured.pack_transpose %pack_b with_compute_op(%generic) inner_perm = [1, 0]
        : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">)
        -> (!transform.op<"linalg.generic">, !transform.any_op, !transform.any_op)
    %unpack = transform.structured.match ops{["linalg.unpack"]} in %func : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %with_c, %pack_c, %unpack_0 = transform.structured.pack_transpose %unpack with_compute_op(%with_b) outer_perm = [1, 0]
        : (!transform.op<"linalg.unpack">, !transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.yield
  }
}
