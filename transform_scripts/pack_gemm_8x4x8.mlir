// Packs a tiled linalg.matmul to micro-tiles of 8 x 4 x 8 (m, n, k), the fill of its result with it.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @pack_gemm_8x4x8(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %matmul packed_sizes = [8, 4, 8] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
