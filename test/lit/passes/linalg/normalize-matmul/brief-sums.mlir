// RUN: allo-opt %s --normalize-matmul | filecheck %s

// Sums of bf16 are summed in f32 and rounded once.
// CHECK-LABEL: func.func @rounded
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         linalg.fill ins(%[[ZERO]] : f32)
// CHECK:         %[[C:.*]] = linalg.matmul ins(%arg0, %arg1 : tensor<16x32xbf16>, tensor<32x8xbf16>) outs({{.*}}) -> tensor<16x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[C]] : tensor<16x8xf32>) outs({{.*}} : tensor<16x8xbf16>)
// CHECK:           arith.truncf
func.func @rounded(%a: tensor<16x32xbf16>, %b: tensor<32x8xbf16>) -> tensor<16x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<16x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<16x8xbf16>) -> tensor<16x8xbf16>
  %c = linalg.matmul ins(%a, %b : tensor<16x32xbf16>, tensor<32x8xbf16>) outs(%init : tensor<16x8xbf16>) -> tensor<16x8xbf16>
  return %c : tensor<16x8xbf16>
}

// What they start from is added before that.
// CHECK-LABEL: func.func @added
// CHECK:         %[[C:.*]] = linalg.matmul ins(%arg0, %arg1 {{.*}} -> tensor<16x8xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[C]], %arg2 : tensor<16x8xf32>, tensor<16x8xbf16>) outs({{.*}} : tensor<16x8xbf16>)
// CHECK:           arith.extf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      arith.truncf
func.func @added(%a: tensor<16x32xbf16>, %b: tensor<32x8xbf16>, %c: tensor<16x8xbf16>) -> tensor<16x8xbf16> {
  %d = linalg.matmul ins(%a, %b : tensor<16x32xbf16>, tensor<32x8xbf16>) outs(%c : tensor<16x8xbf16>) -> tensor<16x8xbf16>
  return %d : tensor<16x8xbf16>
}

// Products of integers that are summed in as few bits are summed in 32: the lowest of these are the same.
// CHECK-LABEL: func.func @wrapped
// CHECK:         %[[START:.*]] = arith.constant 3 : i32
// CHECK:         linalg.fill ins(%[[START]] : i32)
// CHECK:         %[[C:.*]] = linalg.matmul ins(%arg0, %arg1 : tensor<16x32xi8>, tensor<32x8xi8>) outs({{.*}}) -> tensor<16x8xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[C]] : tensor<16x8xi32>) outs({{.*}} : tensor<16x8xi16>)
// CHECK:           arith.trunci
func.func @wrapped(%a: tensor<16x32xi8>, %b: tensor<32x8xi8>) -> tensor<16x8xi16> {
  %three = arith.constant 3 : i16
  %empty = tensor.empty() : tensor<16x8xi16>
  %init = linalg.fill ins(%three : i16) outs(%empty : tensor<16x8xi16>) -> tensor<16x8xi16>
  %c = linalg.matmul ins(%a, %b : tensor<16x32xi8>, tensor<32x8xi8>) outs(%init : tensor<16x8xi16>) -> tensor<16x8xi16>
  return %c : tensor<16x8xi16>
}
