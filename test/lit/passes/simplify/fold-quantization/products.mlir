// Products of scaled integers are products of integers.
// RUN: allo-opt %s --fold-quantization | filecheck %s
// RUN: allo-opt %s --fold-quantization --print-pipeline | filecheck %s --check-prefix=PIPELINE
// PIPELINE: fold-quantization

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#nchw = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d0)>

// Unsigned activations with a zero point; a weight with a scale and a zero point for each row, which is transposed.
// CHECK-LABEL: func.func @linear
// CHECK-SAME:    %[[Q:.*]]: tensor<3x2xi8>, %[[BIAS:.*]]: tensor<3x2xf32>
// CHECK:         arith.xori %{{.*}}, %c-128_i8
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[}}1, -7], [3, 4]]> : tensor<2x2xi8>
// CHECK:         %[[P:.*]] = linalg.matmul ins(%{{.*}}, %[[W]] : tensor<3x2xi8>, tensor<2x2xi8>) {{.*}} -> tensor<3x2xi32>
// CHECK-DAG:     %[[SUMS:.*]] = arith.constant dense<[-500, 375]> : tensor<2xi32>
// CHECK-DAG:     %[[SCALES:.*]] = arith.constant dense<[1.250000e-01, 1.000000e+00]> : tensor<2xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[SUMS]], %[[SCALES]], %[[BIAS]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.subi
// CHECK-NEXT:      arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.addf
func.func @linear(%q: tensor<3x2xi8>, %bias: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %three = arith.constant 3 : i64
  %half = arith.constant 0.5 : f64
  %e = tensor.empty() : tensor<3x2xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x2xi8>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i64
    %1 = arith.subi %0, %three : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.truncf %half : f64 to f32
    %4 = arith.mulf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<3x2xf32>
  %w = arith.constant dense<[[11, 13], [-7, 4]]> : tensor<2x2xi8>
  %zeros = arith.constant dense<[10, 0]> : tensor<2xi64>
  %scales = arith.constant dense<[0.25, 2.0]> : tensor<2xf32>
  %f = tensor.empty() : tensor<2x2xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %scales, %zeros : tensor<2x2xi8>, tensor<2xf32>, tensor<2xi64>) outs(%f : tensor<2x2xf32>) {
  ^bb0(%in: i8, %s: f32, %z: i64, %out: f32):
    %0 = arith.extsi %in : i8 to i64
    %1 = arith.subi %0, %z : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x2xf32>
  %g = linalg.transpose ins(%d : tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %g : tensor<3x2xf32>, tensor<2x2xf32>) outs(%bias : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// What is padded with 0 is padded with the zero point.
// CHECK-LABEL: func.func @convolution
// CHECK:         tensor.pad
// CHECK:           arith.constant 7 : i8
// CHECK:         linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x1x5x5xi8>, tensor<2x1x3x3xi8>) {{.*}} -> tensor<1x2x3x3xi32>
// CHECK:         arith.subi
// CHECK-NOT:     arith.addf
func.func @convolution(%q: tensor<1x1x3x3xi8>) -> tensor<1x2x3x3xf32> {
  %seven = arith.constant 7.0 : f32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x3x3xf32>
  %x = linalg.generic {indexing_maps = [#nchw, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x1x3x3xi8>) outs(%e : tensor<1x1x3x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %seven : f32
    %2 = arith.mulf %1, %half : f32
    linalg.yield %2 : f32
  } -> tensor<1x1x3x3xf32>
  %w = arith.constant dense<[[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [[[-1, 2, -3], [4, -5, 6], [-7, 8, 127]]]]> : tensor<2x1x3x3xi8>
  %scales = arith.constant dense<[0.25, 2.0]> : tensor<2xf32>
  %f = tensor.empty() : tensor<2x1x3x3xf32>
  %d = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<2x1x3x3xi8>, tensor<2xf32>) outs(%f : tensor<2x1x3x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<2x1x3x3xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %h: index):
    tensor.yield %zero : f32
  } : tensor<1x1x3x3xf32> to tensor<1x1x5x5xf32>
  %g = tensor.empty() : tensor<1x2x3x3xf32>
  %none = linalg.fill ins(%zero : f32) outs(%g : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %d : tensor<1x1x5x5xf32>, tensor<2x1x3x3xf32>) outs(%none : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %y : tensor<1x2x3x3xf32>
}

// Two unknown operands with zero points: their sums are not known, so that integers without zero points are multiplied.
// CHECK-LABEL: func.func @both_unknown
// CHECK-COUNT-2: arith.extsi %{{.*}} : i8 to i16
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x5xi16>, tensor<5x4xi16>)
func.func @both_unknown(%q: tensor<3x5xi8>, %r: tensor<5x4xi8>) -> tensor<3x4xf32> {
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<3x5xi8>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.addf %0, %two : f32
    linalg.yield %1 : f32
  } -> tensor<3x5xf32>
  %f = tensor.empty() : tensor<5x4xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x4xi8>) outs(%f : tensor<5x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %two : f32
    linalg.yield %1 : f32
  } -> tensor<5x4xf32>
  %g = tensor.empty() : tensor<3x4xf32>
  %none = linalg.fill ins(%zero : f32) outs(%g : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x5xf32>, tensor<5x4xf32>) outs(%none : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @named
// CHECK-NOT:     linalg.quantized_matmul
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x2xi8>, tensor<2x2xi8>)
// CHECK:         arith.addi
func.func @named(%q: tensor<3x2xi8>, %init: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 2], [3, 127]]> : tensor<2x2xi8>
  %z = arith.constant 5 : i32
  %none = arith.constant 0 : i32
  %y = linalg.quantized_matmul ins(%q, %w, %z, %none : tensor<3x2xi8>, tensor<2x2xi8>, i32, i32) outs(%init : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}
