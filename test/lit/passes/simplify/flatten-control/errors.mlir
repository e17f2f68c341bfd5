// RUN: allo-opt %s --verify-diagnostics --split-input-file --flatten-control

func.func @unknown(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{has an unknown number of iterations; use constant bounds}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<8xf32>) {
    %m = arith.mulf %y, %y : tensor<8xf32>
    scf.yield %m : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @long(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1001 : index
  // expected-error@+1 {{would become 2,002 operations, at most 2,000 are unrolled}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<8xf32>) {
    %m = arith.mulf %y, %y : tensor<8xf32>
    scf.yield %m : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @again(%x: tensor<8xf32>) -> tensor<8xf32> {
  %m = arith.mulf %x, %x : tensor<8xf32>
  // expected-error@+1 {{calls @again, which calls itself}}
  %r = call @again(%m) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
