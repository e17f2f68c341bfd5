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

func.func @scan(%x: tensor<8xf32>, %y: tensor<8xf32>, %s: tensor<f32>) -> tensor<8xf32> {
  // expected-error@+1 {{torch-mlir writes scans, scatters and sorts so (cumsum, index_put, topk), which are no linalg}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<8xf32>) outs(%y, %s : tensor<8xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tm_tensor.yield %c : f32
  } -> tensor<8xf32>, tensor<f32>
  return %0#0 : tensor<8xf32>
}
