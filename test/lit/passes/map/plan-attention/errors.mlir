// RUN: allo-opt %s --split-input-file --verify-diagnostics --plan-attention=strict
// RUN: allo-opt %s --split-input-file --plan-attention --pad-families | filecheck %s

// CHECK-NOT: allo.plan

// expected-error @+1 {{'func.func' op computes no softmax(f(Q K^T)) V of its arguments; run pipeline npu for other operations}}
func.func @no_softmax(%q: tensor<16x32xf32>, %k: tensor<32x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x32xf32>, tensor<32x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %s : tensor<16x16xf32>
}

// -----

// Queries of so many channels that a core cannot hold one with its sums.

// expected-error @+1 {{'func.func' op is attention of 16 queries, 16 keys, 20000 and 16 channels, for which no tiles fit the cores, the memtiles, and DMAs of 32-bit words}}
func.func @long(%q: tensor<16x20000xf32>, %k: tensor<20000x16xf32>, %v: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x20000xf32>, tensor<20000x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %o = linalg.matmul ins(%p, %v : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %o : tensor<16x16xf32>
}

// -----

// The weights are a result, too, and have to be written anyway.

// expected-error @+1 {{'func.func' op computes no softmax(f(Q K^T)) V of its arguments; run pipeline npu for other operations}}
func.func @weights(%q: tensor<16x32xf32>, %k: tensor<32x16xf32>, %v: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<16x32xf32>, tensor<32x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %o = linalg.matmul ins(%p, %v : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %o, %p : tensor<16x16xf32>, tensor<16x16xf32>
}
