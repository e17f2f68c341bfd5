// Contractions take narrow operands as they are, constants in plain order, transposed operands by their maps.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK:       [[A:#.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK:       [[B:#.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK:       [[C:#.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    [[X:%.*]]: tensor<4x2xbf16>
// CHECK:         [[W:%.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xbf16>
// CHECK-NOT:     linalg.generic
// CHECK:         linalg.matmul ins([[X]], [[W]] : tensor<4x2xbf16>, tensor<2x3xbf16>) outs({{.*}} : tensor<4x3xf32>)
func.func @linear(%x: tensor<4x2xbf16>) -> tensor<4x3xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xbf16>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x3xbf16>
  %t = linalg.transpose ins(%w : tensor<3x2xbf16>) outs(%e0 : tensor<2x3xbf16>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<2x3xf32>
  %tw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x3xbf16>) outs(%e1 : tensor<2x3xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %s = arith.extf %in : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<2x3xf32>
  %e2 = tensor.empty() : tensor<4x2xf32>
  %xw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x2xbf16>) outs(%e2 : tensor<4x2xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %s = arith.extf %in : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  %e3 = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = linalg.matmul ins(%xw, %tw : tensor<4x2xf32>, tensor<2x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @transposed(
// CHECK:         linalg.matmul indexing_maps = {{\[}}[[A]], [[B]], [[C]]] ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<6x8xf32>)
func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x6xf32>
  %t = linalg.transpose ins(%b : tensor<6x8xf32>) outs(%e0 : tensor<8x6xf32>) permutation = [1, 0]
  %e3 = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %t : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// One operand alone stays wide: the array multiplies elements of one type.
// CHECK-LABEL: func.func @mixed(
// CHECK:         arith.extf
// CHECK:         linalg.matmul ins({{.*}} : tensor<4x8xf32>, tensor<8x6xf32>)
func.func @mixed(%a: tensor<4x8xf32>, %b: tensor<8x6xbf16>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x6xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8x6xbf16>) outs(%e0 : tensor<8x6xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %s = arith.extf %in : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %e3 = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %t : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// A factor of an operand is one of the result, so that the operand stays narrow.
// CHECK-LABEL: func.func @scaled(
// CHECK-DAG:     [[S:%.*]] = arith.constant 1.250000e-01 : f32
// CHECK:         [[P:%.*]] = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xbf16>, tensor<8x6xbf16>) outs({{.*}} : tensor<4x6xf32>)
// CHECK:         linalg.generic {{.*}} ins([[P]] : tensor<4x6xf32>)
// CHECK:           arith.mulf %in, [[S]] : f32
func.func @scaled(%a: tensor<4x8xbf16>, %b: tensor<8x6xbf16>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %quarter = arith.constant dense<0.25> : tensor<8x6xf32>
  %aw = arith.extf %a : tensor<4x8xbf16> to tensor<4x8xf32>
  %as = arith.mulf %aw, %half : tensor<4x8xf32>
  %bw = arith.extf %b : tensor<8x6xbf16> to tensor<8x6xf32>
  %bs = arith.mulf %bw, %quarter : tensor<8x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%as, %bs : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
