// Tiles the result of a filled linalg.matmul, with the fill of each part where the part is computed.
//
// sizes: Rows and columns of a part, 0 for all.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @walk_matmul(
      %root: !transform.any_op {transform.readonly},
      %sizes: !transform.any_param {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %matmul tile_sizes [0, 1] {allo.bind = {static_tile_sizes = "sizes"}}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
