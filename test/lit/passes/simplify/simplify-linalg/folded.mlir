// RUN: allo-opt %s --simplify-linalg | filecheck %s

// What is compared with itself is known, and what reads only that is filled; the product before it goes.
// CHECK-LABEL: func.func @same(
// CHECK-NOT:     linalg.matvec
// CHECK-NOT:     cmpi
// CHECK:         return
#v = affine_map<(d0) -> (d0)>
func.func @same(%x: tensor<8x16xi32>, %w: tensor<16xi32>) -> tensor<8xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %m = linalg.matvec ins(%x, %w : tensor<8x16xi32>, tensor<16xi32>) outs(%f : tensor<8xi32>) -> tensor<8xi32>
  %b = tensor.empty() : tensor<8xi1>
  %c = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%m, %m : tensor<8xi32>, tensor<8xi32>) outs(%b : tensor<8xi1>) {
  ^bb0(%p: i32, %q: i32, %o: i1):
    %r = arith.cmpi eq, %p, %q : i32
    linalg.yield %r : i1
  } -> tensor<8xi1>
  %d = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%c : tensor<8xi1>) outs(%e : tensor<8xi32>) {
  ^bb0(%p: i1, %o: i32):
    %r = arith.extui %p : i1 to i32
    linalg.yield %r : i32
  } -> tensor<8xi32>
  return %d : tensor<8xi32>
}

// A factor of a product that depends on an index stays where it is.
// CHECK-LABEL: func.func @masked(
// CHECK:         linalg.index
// CHECK:         linalg.matvec
func.func @masked(%x: tensor<16xf32>, %w: tensor<8x16xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %three = arith.constant 3 : index
    %c = arith.cmpi ult, %i, %three : index
    %r = arith.select %c, %p, %z : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %g = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%g : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.matvec ins(%w, %y : tensor<8x16xf32>, tensor<16xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// What is taken of a constant at known places is known: the filter of a transposed convolution, mirrored, is one constant.
// CHECK-LABEL: func.func @mirrored(
// CHECK-NOT:     tensor.extract
// CHECK:         dense<{{\[\[}}3.000000e+00, 2.000000e+00, 1.000000e+00], [6.000000e+00, 5.000000e+00, 4.000000e+00]]>
#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @mirrored(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<2x3xf32>
  %t = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<2x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %two, %j : index
    %r = tensor.extract %w[%i, %k] : tensor<2x3xf32>
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%x, %t : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.mulf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// A concatenation of constants is a constant.
// CHECK-LABEL: func.func @joined(
// CHECK-NOT:     tensor.concat
// CHECK:         dense<[8.000000e+00, 8.000000e+00, 1.000000e+00, 2.000000e+00]>
#id = affine_map<(d0) -> (d0)>
func.func @joined(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.constant dense<8.0> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.mul ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Constants inserted into a constant are a constant.
// CHECK-LABEL: func.func @inserted(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         dense<{{\[\[}}0.000000e+00, 5.000000e+00, 0.000000e+00, 7.000000e+00], [0.000000e+00, 5.000000e+00, 0.000000e+00, 7.000000e+00]]>
func.func @inserted(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4xf32>
  %a = arith.constant dense<5.0> : tensor<2x1xf32>
  %b = arith.constant dense<[[5.0, 7.0], [5.0, 7.0]]> : tensor<2x2xf32>
  %c = tensor.insert_slice %a into %z[0, 1] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x4xf32>
  %d = tensor.insert_slice %b into %c[0, 1] [2, 2] [1, 2] : tensor<2x2xf32> into tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %y = linalg.mul ins(%x, %d : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// A constant inserted at a computed place is selected by the index.
// CHECK-LABEL: func.func @computed(
// CHECK:         arith.select
func.func @computed(%n: i32) -> tensor<4xf32> {
  %i = arith.index_cast %n : i32 to index
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %a = arith.constant dense<5.0> : tensor<1xf32>
  %c = tensor.insert_slice %a into %z[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
  return %c : tensor<4xf32>
}

// The rows of a triangle, from square roots in f64, are constants: the array's square root may give 1.9999999.
// CHECK-LABEL: func.func @rows(
// CHECK:         dense<{{\[\[}}0, 1, 1], [2, 2, 2]]> : tensor<2x3xi64>
func.func @rows() -> tensor<2x3xi64> {
  %0 = tensor.empty() : tensor<2x3xf64>
  %1 = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<2x3xf64>) {
  ^bb0(%o: f64):
    %three = arith.constant 3 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %i, %three : index
    %n = arith.addi %k, %j : index
    %l = arith.index_cast %n : index to i64
    %f = arith.sitofp %l : i64 to f64
    %two = arith.constant 2.0 : f64
    %quarter = arith.constant 0.25 : f64
    %d = arith.mulf %f, %two : f64
    %s = arith.addf %d, %quarter : f64
    %r = math.sqrt %s : f64
    linalg.yield %r : f64
  } -> tensor<2x3xf64>
  %2 = tensor.empty() : tensor<2x3xi64>
  %3 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x3xf64>) outs(%2 : tensor<2x3xi64>) {
  ^bb0(%p: f64, %o: i64):
    %half = arith.constant 0.5 : f64
    %r = arith.subf %p, %half : f64
    %n = arith.fptosi %r : f64 to i64
    linalg.yield %n : i64
  } -> tensor<2x3xi64>
  return %3 : tensor<2x3xi64>
}

// A byte that is extended without its sign is not a negative number.
// CHECK-LABEL: func.func @bytes(
// CHECK:         dense<[255, 1]> : tensor<2xi32>
func.func @bytes() -> tensor<2xi32> {
  %w = arith.constant dense<[-1, 1]> : tensor<2xi8>
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%w : tensor<2xi8>) outs(%e : tensor<2xi32>) {
  ^bb0(%p: i8, %o: i32):
    %n = arith.extui %p : i8 to i32
    linalg.yield %n : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// A small constant is padded when the program is compiled: no runtime sequence moves constants.
// CHECK-LABEL: func.func @padded(
// CHECK:         dense<[0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         return
func.func @padded(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<1.0> : tensor<1xf32>
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %w low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<1xf32> to tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%x, %p : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.addf %a, %b : f32
    linalg.yield %n : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// Halves are rounded away from zero, and numbers without a fraction stay.
// CHECK-LABEL: func.func @rounded(
// CHECK:         dense<[8388609, 0, 3, -3]> : tensor<4xi32>
func.func @rounded(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = arith.constant dense<[8388609.0, 0.49999997, 2.5, -2.5]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%c : tensor<4xf32>) outs(%e : tensor<4xi32>) {
  ^bb0(%p: f32, %o: i32):
    %s = math.round %p : f32
    %t = arith.fptosi %s : f32 to i32
    linalg.yield %t : i32
  } -> tensor<4xi32>
  %y = linalg.add ins(%r, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

// Integers of 4 bits are only known with a sign, and booleans do not wrap: such operations stay.
// CHECK-LABEL: func.func @narrow(
// CHECK:         arith.extui %{{.*}} : i4 to i32
// CHECK:         arith.extsi %{{.*}} : i1 to i32
func.func @narrow(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = arith.constant dense<[1, -2, 3, -4]> : tensor<4xi4>
  %b = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%c, %b : tensor<4xi4>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%p: i4, %q: i32, %o: i32):
    %s = arith.extui %p : i4 to i32
    %t = arith.trunci %q : i32 to i1
    %u = arith.extsi %t : i1 to i32
    %w = arith.addi %s, %u : i32
    linalg.yield %w : i32
  } -> tensor<4xi32>
  %y = linalg.add ins(%r, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}

// Nothing is gathered in no iterations, and a number has no padding.
// CHECK-LABEL: func.func @none(
// CHECK:         return
func.func @none(%t: tensor<5xf32>, %x: tensor<0xf32>) -> (tensor<0xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<0xf32>
  %r = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<0xf32>) outs(%e : tensor<0xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %s = tensor.extract %t[%i] : tensor<5xf32>
    %u = arith.addf %s, %p : f32
    linalg.yield %u : f32
  } -> tensor<0xf32>
  %z = arith.constant 0.0 : f32
  %c = arith.constant dense<2.0> : tensor<f32>
  %d = tensor.pad %c low[] high[] {
  ^bb0:
    tensor.yield %z : f32
  } : tensor<f32> to tensor<f32>
  return %r, %d : tensor<0xf32>, tensor<f32>
}
