// RUN: allo-opt %s --keep-arguments | filecheck %s

// CHECK: func.func @sum(%arg0: tensor<8xf32> {bufferization.writable = false}, %arg1: memref<8xf32>,
// CHECK-SAME: %arg2: tensor<8xf32> {bufferization.writable = true})
func.func @sum(%a: tensor<8xf32>, %b: memref<8xf32>, %c: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
