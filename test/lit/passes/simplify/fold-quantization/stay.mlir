// What is not a product of two scaled integers, or none whose sums fit i32, stays.
// RUN: allo-opt %s --fold-quantization | filecheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @one_is_float
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x5xf32>, tensor<5x4xf32>)
func.func @one_is_float(%q: tensor<3x5xi8>, %w: tensor<5x4xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x5xi8>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<3x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<3x5xf32>, tensor<5x4xf32>) outs(%y : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// i8 that wrap around before they are extended are not scaled; a number that is not a multiple of the scale is not a zero point.
// CHECK-LABEL: func.func @wraps
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x3xf32>, tensor<3x3xf32>)
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x3xf32>, tensor<3x3xf32>)
func.func @wraps(%q: tensor<3x3xi8>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  %three = arith.constant 3 : i8
  %half = arith.constant 0.5 : f32
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x3xi8>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.addi %in, %three : i8
    %1 = arith.sitofp %0 : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<3x3xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x3xi8>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<3x3xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x3xi8>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.addf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<3x3xf32>
  %r = linalg.matmul ins(%x, %w : tensor<3x3xf32>, tensor<3x3xf32>) outs(%y : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul ins(%v, %w : tensor<3x3xf32>, tensor<3x3xf32>) outs(%r : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %s : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @sums_pass_i32
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<1x140000xf32>, tensor<140000x1xf32>)
func.func @sums_pass_i32(%q: tensor<1x140000xi8>, %r: tensor<140000x1xi8>, %y: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %e = tensor.empty() : tensor<1x140000xf32>
  %f = tensor.empty() : tensor<140000x1xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<1x140000xi8>) outs(%e : tensor<1x140000xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<1x140000xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<140000x1xi8>) outs(%f : tensor<140000x1xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<140000x1xf32>
  %s = linalg.matmul ins(%x, %w : tensor<1x140000xf32>, tensor<140000x1xf32>) outs(%y : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %s : tensor<1x1xf32>
}

// Named operations that are written out are not products.
// CHECK-LABEL: func.func @sums_of_bytes
// CHECK-COUNT-12: linalg.generic
func.func @sums_of_bytes(%x: tensor<8x32xi8>, %y: tensor<8x32xi8>) -> tensor<8x32xi8> {
  %e = tensor.empty() : tensor<8x32xi8>
  %0 = linalg.add ins(%x, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %1 = linalg.sub ins(%0, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %2 = linalg.add ins(%1, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %3 = linalg.sub ins(%2, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %4 = linalg.add ins(%3, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %5 = linalg.sub ins(%4, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %6 = linalg.add ins(%5, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %7 = linalg.sub ins(%6, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %8 = linalg.add ins(%7, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %9 = linalg.sub ins(%8, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %10 = linalg.add ins(%9, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  %11 = linalg.sub ins(%10, %y : tensor<8x32xi8>, tensor<8x32xi8>) outs(%e : tensor<8x32xi8>) -> tensor<8x32xi8>
  return %11 : tensor<8x32xi8>
}
