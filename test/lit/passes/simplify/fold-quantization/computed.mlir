// Zero points that are computed, as dynamic quantization does, times the sums of constant weights.
// RUN: allo-opt %s --fold-quantization | filecheck %s
// RUN: allo-opt %s --fold-quantization --verify-each=execute

#nchw = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @conv
// CHECK:         %[[Z:.*]] = arith.extsi
// CHECK-NOT:     linalg.conv_2d_nchw_fchw_q
// CHECK-DAG:     arith.constant dense<{{\[\[\[\[}}-2, -1]]], {{\[\[\[}}0, 1]]]]> : tensor<2x1x1x2xi8>
// CHECK-DAG:     arith.constant dense<[-3, 1]> : tensor<2xi32>
// CHECK:         arith.muli %[[Z]], %{{.*}} : i32
// CHECK-NEXT:    arith.subi
func.func @conv(%x: tensor<1x1x3x4xi8>, %t: tensor<i8>) -> tensor<1x2x3x3xi32> {
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %z = tensor.extract %t[] : tensor<i8>
  %number = arith.extsi %z : i8 to i32
  %bytes = arith.constant dense<[[[[0, 1]]], [[[2, 3]]]]> : tensor<2x1x1x2xi8>
  %f = tensor.empty() : tensor<2x1x1x2xi8>
  %w = linalg.generic {indexing_maps = [#nchw, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bytes : tensor<2x1x1x2xi8>) outs(%f : tensor<2x1x1x2xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %one : i8
    linalg.yield %0 : i8
  } -> tensor<2x1x1x2xi8>
  %e = tensor.empty() : tensor<1x2x3x3xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<1x2x3x3xi32>) -> tensor<1x2x3x3xi32>
  %y = linalg.conv_2d_nchw_fchw_q ins(%x, %w, %number, %three : tensor<1x1x3x4xi8>, tensor<2x1x1x2xi8>, i32, i32)
      outs(%init : tensor<1x2x3x3xi32>) -> tensor<1x2x3x3xi32>
  return %y : tensor<1x2x3x3xi32>
}
