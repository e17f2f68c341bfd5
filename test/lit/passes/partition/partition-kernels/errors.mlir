// RUN: allo-opt %s --split-input-file --verify-diagnostics --partition-kernels

// expected-error@+1 {{has tensor<?x4xf32> as argument 1, whose shape is dynamic; programs are made for one shape: export the function with static sizes}}
func.func @dynamic(%x: tensor<4x4xf32>, %y: tensor<?x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{has f32 as argument 1; only tensors can be passed to the array: make it tensor<f32>}}
func.func @scalar(%x: tensor<4x4xf32>, %y: f32) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{has tensor<4x0xf32> as argument 0, which has no elements; drop it}}
func.func @empty(%x: tensor<4x0xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

func.func private @other(tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot become part of a kernel, which are linalg, tensor, arith and math operations; inline it}}
  %r = call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @loops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  // expected-error@+1 {{cannot become part of a kernel, which are linalg, tensor, arith and math operations; unroll it, or write it with linalg operations}}
  %r = scf.for %i = %zero to %four step %one iter_args(%y = %x) -> tensor<4xf32> {
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
