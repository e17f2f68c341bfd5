// RUN: allo-opt %s --plan-gemm --pad-families | filecheck %s

// The calls of a kernel pad with zeros along k, where those of A and B add nothing; longer rows of another operand may hold anything.

// CHECK-LABEL: func.func @main(%arg0: tensor<7x5xbf16>, %arg1: tensor<5x16xbf16>) -> tensor<7x16xf32> {
// CHECK:       %[[K:.*]] = tensor.pad %arg0 low[0, 0] high[0, 3]
// CHECK:       %[[A:.*]] = tensor.insert_slice %[[K]] into %{{.*}}[0, 0] [7, 8] [1, 1]
// CHECK:       %[[B:.*]] = tensor.pad %arg1 low[0, 0] high[3, 0]
// CHECK:       %[[R:.*]] = call @deep(%[[A]], %[[B]]) : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xf32>
// CHECK:       tensor.extract_slice %[[R]][0, 0] [7, 16] [1, 1] : tensor<8x16xf32> to tensor<7x16xf32>
func.func @main(%a: tensor<7x5xbf16>, %b: tensor<5x16xbf16>) -> tensor<7x16xf32> {
  %0 = call @deep(%a, %b) : (tensor<7x5xbf16>, tensor<5x16xbf16>) -> tensor<7x16xf32>
  return %0 : tensor<7x16xf32>
}

// CHECK-LABEL: func.func private @deep(%arg0: tensor<8x8xbf16>, %arg1: tensor<8x16xbf16>) -> tensor<8x16xf32>
// CHECK-NOT:   host_shapes
func.func private @deep(%a: tensor<7x5xbf16>, %b: tensor<5x16xbf16>) -> tensor<7x16xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x16xf32>) -> tensor<7x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<7x5xbf16>, tensor<5x16xbf16>) outs(%init : tensor<7x16xf32>) -> tensor<7x16xf32>
  return %c : tensor<7x16xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK:       %[[E:.*]] = tensor.empty() : tensor<8x8xbf16>
// CHECK:       tensor.insert_slice %arg0 into %[[E]][0, 0] [7, 8] [1, 1]
// CHECK:       call @rows(
// CHECK:       tensor.insert_slice
// CHECK:       call @rows(
func.func @twice(%a: tensor<7x8xbf16>, %b: tensor<8x16xbf16>) -> (tensor<7x16xf32>, tensor<7x16xf32>) {
  %0 = call @rows(%a, %b) : (tensor<7x8xbf16>, tensor<8x16xbf16>) -> tensor<7x16xf32>
  %1 = call @rows(%a, %b) : (tensor<7x8xbf16>, tensor<8x16xbf16>) -> tensor<7x16xf32>
  return %0, %1 : tensor<7x16xf32>, tensor<7x16xf32>
}

func.func private @rows(%a: tensor<7x8xbf16>, %b: tensor<8x16xbf16>) -> tensor<7x16xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x16xf32>) -> tensor<7x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<7x8xbf16>, tensor<8x16xbf16>) outs(%init : tensor<7x16xf32>) -> tensor<7x16xf32>
  return %c : tensor<7x16xf32>
}
