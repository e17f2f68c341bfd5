// RUN: allo-opt %s --verify-diagnostics --split-input-file --simplify-linalg

// expected-error@+1 {{takes tensor<?xf32>, and a program is made for one shape; write a size for each '?'}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// expected-error@+1 {{returns tensor<4xf64>, and the array computes no f64; give it f32, and convert on the host}}
func.func @double(%x: tensor<4xf32>) -> tensor<4xf64> {
  %y = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

func.func @sort(%x: tensor<5000xf32>) -> tensor<5000xf32> {
  // expected-error@+1 {{sorts of at most 4096 elements (sort, topk)}}
  %0 = tm_tensor.sort dimension(0) outs(%x : tensor<5000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %c : i1
  } -> tensor<5000xf32>
  return %0 : tensor<5000xf32>
}
