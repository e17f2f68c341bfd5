// A batch norm with known statistics is one scale and shift; after a convolution it is part of the filter.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

#x = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c = affine_map<(d0, d1, d2, d3) -> (d1)>

// (x - 1) * 2 * 4 + 0.5 is 8 x - 7.5.
// CHECK-LABEL: func.func @norm(
// CHECK:         [[T:%.*]] = arith.constant dense<[-7.500000e+00, 5.000000e-01]> : tensor<2xf32>
// CHECK:         linalg.generic {{.*}} ins(%arg0, [[T]] : tensor<2x2x3x5xf32>, tensor<2xf32>)
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
func.func @norm(%x: tensor<2x2x3x5xf32>) -> tensor<2x2x3x5xf32> {
  %mean = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %rstd = arith.constant dense<[2.0, 2.0]> : tensor<2xf32>
  %gamma = arith.constant dense<[4.0, 4.0]> : tensor<2xf32>
  %beta = arith.constant dense<[0.5, 0.5]> : tensor<2xf32>
  %e = tensor.empty() : tensor<2x2x3x5xf32>
  %0 = linalg.generic {indexing_maps = [#x, #c, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %mean : tensor<2x2x3x5xf32>, tensor<2xf32>) outs(%e : tensor<2x2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x5xf32>
  %1 = linalg.generic {indexing_maps = [#x, #c, #c, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %rstd, %gamma : tensor<2x2x3x5xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2x2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    %s = arith.mulf %r, %c : f32
    linalg.yield %s : f32
  } -> tensor<2x2x3x5xf32>
  %2 = linalg.generic {indexing_maps = [#x, #c, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%1, %beta : tensor<2x2x3x5xf32>, tensor<2xf32>) outs(%e : tensor<2x2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x5xf32>
  return %2 : tensor<2x2x3x5xf32>
}

// CHECK-LABEL: func.func @convolution(
// CHECK-DAG:     [[W:%.*]] = arith.constant dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}1.200000e+01]]]]> : tensor<2x1x1x1xf32>
// CHECK-DAG:     [[B:%.*]] = arith.constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK:         [[I:%.*]] = linalg.generic {{.*}} ins([[B]] : tensor<2xf32>)
// CHECK:         [[R:%.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%arg0, [[W]] : {{.*}}) outs([[I]] :
// CHECK-NEXT:    return [[R]]
func.func @convolution(%x: tensor<1x1x3x5xf32>) -> tensor<1x2x3x5xf32> {
  %w = arith.constant dense<[[[[1.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %gamma = arith.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %beta = arith.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %v = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x1x3x5xf32>, tensor<2x1x1x1xf32>) outs(%f : tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %1 = linalg.generic {indexing_maps = [#x, #c, #c, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v, %gamma, %beta : tensor<1x2x3x5xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<1x2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    %s = arith.addf %r, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x2x3x5xf32>
  return %1 : tensor<1x2x3x5xf32>
}

// A choice by comparison is a maximum, where what is not a number is chosen; else it stays.
// CHECK-LABEL: func.func @relu(
// CHECK:         arith.maximumf
// CHECK-NOT:     arith.select
// CHECK-LABEL: func.func @other(
// CHECK:         arith.select
func.func @relu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%in: f32, %init: f32) {
    %c = arith.cmpf ugt, %in, %zero : f32
    %s = arith.select %c, %in, %zero : f32
    linalg.yield %s : f32
  }
  return %r : tensor<8xf32>
}
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.map ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) (%in: f32, %init: f32) {
    %c = arith.cmpf ogt, %in, %zero : f32
    %s = arith.select %c, %in, %zero : f32
    linalg.yield %s : f32
  }
  return %r : tensor<8xf32>
}
