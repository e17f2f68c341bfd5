// RUN: allo-opt %s --factor-sums | filecheck %s

// Scales of groups of weights: products of a group are summed first, of integers that are bf16.

// CHECK-LABEL: func.func private @groups(
// CHECK:         %[[P:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME:        ins(%arg0, %arg2 : tensor<16x4x32xi8>, tensor<4x32xbf16>) outs(%{{.*}} : tensor<16x4xf32>)
// CHECK:           arith.sitofp %{{.*}} : i8 to f32
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "reduction"]}
// CHECK-SAME:        ins(%[[P]], %arg1 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%{{.*}} : tensor<16xf32>)
func.func private @groups(%w: tensor<16x4x32xi8>, %s: tensor<16x4xf32>, %x: tensor<4x32xbf16>) -> tensor<16xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, g, k) -> (i, g, k)>, affine_map<(i, g, k) -> (i, g)>,
      affine_map<(i, g, k) -> (g, k)>, affine_map<(i, g, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%w, %s, %x : tensor<16x4x32xi8>, tensor<16x4xf32>, tensor<4x32xbf16>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: i8, %b: f32, %c: bf16, %o: f32):
    %d = arith.sitofp %a : i8 to f32
    %v = arith.extf %c : bf16 to f32
    %t = arith.mulf %d, %b : f32
    %p = arith.mulf %t, %v : f32
    %y = arith.addf %p, %o : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// A scale of a row and one number: what is left is elementwise. Values of f32 stay as they are.

// CHECK-LABEL: func.func private @rows(
// CHECK:         linalg.generic
// CHECK-SAME:        iterator_types = ["parallel", "reduction"]
// CHECK-NOT:       arith.truncf
// CHECK:         linalg.generic
// CHECK-SAME:        iterator_types = ["parallel"]
func.func private @rows(%w: tensor<16x64xi8>, %s: tensor<16xf32>, %x: tensor<64xf32>) -> tensor<16xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (k)>,
      affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%w, %s, %x : tensor<16x64xi8>, tensor<16xf32>, tensor<64xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: i8, %b: f32, %c: f32, %o: f32):
    %d = arith.sitofp %a : i8 to f32
    %h = arith.mulf %d, %half : f32
    %t = arith.mulf %h, %b : f32
    %p = arith.mulf %t, %c : f32
    %y = arith.addf %o, %p : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// A sum of few, products whose factors all change, and functions that are not kernels stay.

// CHECK-LABEL: func.func private @few(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func private @few(%w: tensor<16x4x8xf32>, %s: tensor<16x4xf32>, %x: tensor<4x8xf32>) -> tensor<16xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, g, k) -> (i, g, k)>, affine_map<(i, g, k) -> (i, g)>,
      affine_map<(i, g, k) -> (g, k)>, affine_map<(i, g, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%w, %s, %x : tensor<16x4x8xf32>, tensor<16x4xf32>, tensor<4x8xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    %p = arith.mulf %t, %c : f32
    %y = arith.addf %p, %o : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// CHECK-LABEL: func.func @other(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @other(%w: tensor<16x64xf32>, %s: tensor<16xf32>, %x: tensor<64xf32>, %f: tensor<16xf32>) -> tensor<16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (k)>,
      affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%w, %s, %x : tensor<16x64xf32>, tensor<16xf32>, tensor<64xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    %p = arith.mulf %t, %c : f32
    %y = arith.addf %o, %p : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}
