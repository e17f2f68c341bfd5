// Packs a tiled linalg.matmul, and the fill of its result, to micro-tiles of `micro` = m, n, k.
//
// micro: Rows, columns and depth of a micro-tile.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @pack_gemm(%root: !transform.any_op {transform.readonly}, %micro: !transform.any_param {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    // The operation has sizes for an attribute.
    %packed = transform.structured.pack %matmul packed_sizes = [1, 1, 1] {allo.bind = {static_packed_sizes = "micro"}}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
