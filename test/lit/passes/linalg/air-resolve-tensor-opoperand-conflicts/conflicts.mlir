// RUN: allo-opt %s --air-resolve-tensor-opoperand-conflicts | filecheck %s
// RUN: allo-opt %s --air-resolve-tensor-opoperand-conflicts --one-shot-bufferize=bufferize-function-boundaries | filecheck %s --check-prefix=BUF

#id = affine_map<(d0) -> (d0)>

// An input that is also the output gets a new tensor; the last operand that reads it keeps it.

// CHECK-LABEL: func.func @add
// CHECK:         %[[T:.*]] = bufferization.alloc_tensor() : tensor<64xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[A:.*]], %{{.*}} : {{.*}}) outs(%[[T]] : tensor<64xf32>)
// BUF-LABEL:   func.func @add
// BUF:           memref.alloc
// BUF-NOT:       memref.copy
// BUF:           return
func.func @add(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%a : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// What the operation adds to is copied.

// CHECK-LABEL: func.func @accumulate(%arg0: tensor<8x8xf32>
// CHECK:         %[[T:.*]] = bufferization.alloc_tensor() copy(%arg0) : tensor<8x8xf32>
// CHECK:         linalg.matmul ins(%arg0, %arg1 : {{.*}}) outs(%[[T]] :
func.func @accumulate(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// No conflict: the tensor is only written.

// CHECK-LABEL: func.func @apart
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @apart(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.add ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
