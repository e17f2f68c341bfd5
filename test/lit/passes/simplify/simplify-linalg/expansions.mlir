// What is computed element by element from a product that is shown in more dimensions has the product's two.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

// CHECK-LABEL: func.func @layer
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg2 {{\[}}[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]], %arg3, %[[X]] : tensor<6x8xf32>, tensor<8xf32>, tensor<6x8xf32>)
// CHECK: math.tanh
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] : tensor<6x8xf32>)
// CHECK: %[[E:.*]] = tensor.expand_shape %[[S]] {{\[}}[0, 1], [2]] output_shape [2, 3, 8]
// CHECK: return %[[E]]
func.func @layer(%a: tensor<6x4xf32>, %b: tensor<4x8xf32>, %x: tensor<2x3x8xf32>, %bias: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<6x4xf32>, tensor<4x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  %s = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %o = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>,
      affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %bias, %x : tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>) outs(%o : tensor<2x3x8xf32>) {
  ^bb0(%u: f32, %v: f32, %w: f32, %out: f32):
    %t = arith.addf %u, %v : f32
    %m = math.tanh %t : f32
    %n = arith.addf %m, %w : f32
    linalg.yield %n : f32
  } -> tensor<2x3x8xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x3x8xf32>) outs(%o : tensor<2x3x8xf32>) {
  ^bb0(%u: f32, %out: f32):
    %t = math.absf %u : f32
    linalg.yield %t : f32
  } -> tensor<2x3x8xf32>
  return %q : tensor<2x3x8xf32>
}

// An operand that has only part of what is one dimension of the product keeps the shape.
// CHECK-LABEL: func.func @part
// CHECK: tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<2x3x8xf32>, tensor<3x8xf32>)
func.func @part(%a: tensor<6x4xf32>, %b: tensor<4x8xf32>, %x: tensor<3x8xf32>) -> tensor<2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<6x4xf32>, tensor<4x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  %s = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %o = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %x : tensor<2x3x8xf32>, tensor<3x8xf32>) outs(%o : tensor<2x3x8xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %t = arith.addf %u, %v : f32
    linalg.yield %t : f32
  } -> tensor<2x3x8xf32>
  return %r : tensor<2x3x8xf32>
}

// A product that is used elsewhere, too, is a kernel of its own.
// CHECK-LABEL: func.func @twice
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<2x3x8xf32>)
func.func @twice(%a: tensor<6x4xf32>, %b: tensor<4x8xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<6x4xf32>, tensor<4x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  %s = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %o = tensor.empty() : tensor<2x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x3x8xf32>) outs(%o : tensor<2x3x8xf32>) {
  ^bb0(%u: f32, %out: f32):
    %t = math.tanh %u : f32
    linalg.yield %t : f32
  } -> tensor<2x3x8xf32>
  return %s, %r : tensor<2x3x8xf32>, tensor<2x3x8xf32>
}

// So has what is computed from a product of one row.
// CHECK-LABEL: func.func @row
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[P]], %arg2 : tensor<1x8xf32>, tensor<8xf32>) outs({{.*}} : tensor<1x8xbf16>)
// CHECK: return %[[R]] : tensor<1x8xbf16>
func.func @row(%a: tensor<1x4xf32>, %b: tensor<4x8xf32>, %bias: tensor<8xf32>) -> tensor<1x8xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1x4xf32>, tensor<4x8xf32>) outs(%f : tensor<1x8xf32>) -> tensor<1x8xf32>
  %o = tensor.empty() : tensor<1x8xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<1x8xf32>, tensor<8xf32>) outs(%o : tensor<1x8xbf16>) {
  ^bb0(%u: f32, %v: f32, %out: bf16):
    %t = arith.addf %u, %v : f32
    %s = arith.truncf %t : f32 to bf16
    linalg.yield %s : bf16
  } -> tensor<1x8xbf16>
  return %r : tensor<1x8xbf16>
}

// A single number has no loops.
// CHECK-LABEL: func.func @number
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<f32>)
func.func @number(%a: tensor<1x4xf32>, %b: tensor<4x1xf32>) -> tensor<1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1x4xf32>, tensor<4x1xf32>) outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%p : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) {
  ^bb0(%u: f32, %out: f32):
    %t = math.exp %u : f32
    linalg.yield %t : f32
  } -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
