// RUN: allo-opt %s --verify-diagnostics --split-input-file --simplify-linalg

// expected-error@+1 {{takes tensor<?xf32>, and a program is compiled for one shape; write a size for each '?'}}
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

// -----

// expected-error@+1 {{takes tensor<4xi4>, and the array moves integers of 1, 8, 16, 32 or 64 bits; give it i8}}
func.func @nibbles(%x: tensor<4xi4>) -> tensor<4xi8> {
  %y = arith.extsi %x : tensor<4xi4> to tensor<4xi8>
  return %y : tensor<4xi8>
}

// -----

// expected-error@+1 {{returns tensor<4xindex>, and indices have no size in memory; give it i32}}
func.func @index(%x: tensor<4xi32>) -> tensor<4xindex> {
  %y = arith.index_cast %x : tensor<4xi32> to tensor<4xindex>
  return %y : tensor<4xindex>
}

// -----

// expected-error@+1 {{returns tensor<4xf8E4M3FN>, and the array computes no f8E4M3FN; give it bf16 or f32}}
func.func @byte(%x: tensor<4xf32>) -> tensor<4xf8E4M3FN> {
  %y = arith.truncf %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  return %y : tensor<4xf8E4M3FN>
}

// -----

func.func @winograd(%x: tensor<2x3x3x5xf32>) -> tensor<6x6x5x2xf32> {
  %e = tensor.empty() : tensor<6x6x5x2xf32>
  // expected-error@+1 {{is a part of Winograd's convolution, which kernels do not support; write the convolution}}
  %y = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>)
      -> tensor<6x6x5x2xf32>
  return %y : tensor<6x6x5x2xf32>
}
