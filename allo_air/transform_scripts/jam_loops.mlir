// Unrolls and jams each scf.for with attribute `allo.jam = N : i64` N times; N is 2, 4 or 8.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @jam_loops(%root: !transform.any_op {transform.readonly}) {
    %by_2 = transform.structured.match ops{["scf.for"]} attributes {allo.jam = 2 : i64} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %by_2 : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      transform.loop.unroll_and_jam %loop {factor = 2} : !transform.any_op
    }
    %by_4 = transform.structured.match ops{["scf.for"]} attributes {allo.jam = 4 : i64} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %by_4 : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      transform.loop.unroll_and_jam %loop {factor = 4} : !transform.any_op
    }
    %by_8 = transform.structured.match ops{["scf.for"]} attributes {allo.jam = 8 : i64} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %by_8 : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      transform.loop.unroll_and_jam %loop {factor = 8} : !transform.any_op
    }
    transform.yield
  }
}
