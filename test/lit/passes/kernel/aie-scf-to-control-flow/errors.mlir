// RUN: allo-opt %s --aie-scf-to-control-flow --verify-diagnostics

// A loop whose results are put together has no jumps; it is made an scf.for before.
func.func @f(%n: index, %z: tensor<8xi32>) -> tensor<8xi32> {
  %c3 = arith.constant dense<3> : tensor<1xi32>
  // expected-error@below {{failed to legalize operation 'scf.forall'}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %z) -> (tensor<8xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c3 into %o[%i] [1] [1] : tensor<1xi32> into tensor<8xi32>
    }
  }
  return %r : tensor<8xi32>
}
