// Of operands that no tile cuts a core takes all: numbers of narrow elements pass in the front of whole words.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @scaled(%arg0: tensor<{{.*}}x128x8xbf16>, %arg1: tensor<2xbf16>)
// CHECK-SAME:    launch = array<i64:
// CHECK:         tensor.extract_slice %arg1[0] [1] [1] {allo.cut} : tensor<2xbf16> to tensor<bf16>
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func private @scaled(%x: tensor<128x128x8xbf16>, %s: tensor<bf16>) -> tensor<128x128x8xbf16> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<128x128x8xbf16>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(i, j, k) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<128x128x8xbf16>, tensor<bf16>) outs(%e : tensor<128x128x8xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %r = arith.mulf %a, %b : bf16
    linalg.yield %r : bf16
  } -> tensor<128x128x8xbf16>
  return %y : tensor<128x128x8xbf16>
}

// A slice of a small argument that DMAs cannot fetch is made of all of it.

// CHECK-LABEL: func.func private @sliced(%arg0: tensor<{{.*}}x128x8xi8>, %arg1: tensor<4xi8>)
// CHECK-SAME:    launch = array<i64:
// CHECK:         tensor.extract_slice %arg1[2] [1] [1] {allo.cut} : tensor<4xi8> to tensor<i8>
func.func private @sliced(%x: tensor<128x128x8xi8>, %s: tensor<3xi8>) -> tensor<128x128x8xi8> attributes {allo.kernel} {
  %n = tensor.extract_slice %s[2] [1] [1] : tensor<3xi8> to tensor<i8>
  %e = tensor.empty() : tensor<128x128x8xi8>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(i, j, k) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %n : tensor<128x128x8xi8>, tensor<i8>) outs(%e : tensor<128x128x8xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %r = arith.muli %a, %b : i8
    linalg.yield %r : i8
  } -> tensor<128x128x8xi8>
  return %y : tensor<128x128x8xi8>
}

// So is one element that a map names.

// CHECK-LABEL: func.func private @named(%arg0: tensor<{{.*}}x128x8xi8>, %arg1: tensor<4xi8>)
// CHECK-SAME:    launch = array<i64:
func.func private @named(%x: tensor<128x128x8xi8>, %s: tensor<3xi8>) -> tensor<128x128x8xi8> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<128x128x8xi8>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(i, j, k) -> (1)>, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<128x128x8xi8>, tensor<3xi8>) outs(%e : tensor<128x128x8xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %r = arith.muli %a, %b : i8
    linalg.yield %r : i8
  } -> tensor<128x128x8xi8>
  return %y : tensor<128x128x8xi8>
}
func.func @main(%x: tensor<128x128x8xbf16>, %s: tensor<bf16>, %y: tensor<128x128x8xi8>, %t: tensor<3xi8>) -> (tensor<128x128x8xbf16>, tensor<128x128x8xi8>) {
  %0 = call @scaled(%x, %s) : (tensor<128x128x8xbf16>, tensor<bf16>) -> tensor<128x128x8xbf16>
  %1 = call @sliced(%y, %t) : (tensor<128x128x8xi8>, tensor<3xi8>) -> tensor<128x128x8xi8>
  %2 = call @named(%1, %t) : (tensor<128x128x8xi8>, tensor<3xi8>) -> tensor<128x128x8xi8>
  return %0, %2 : tensor<128x128x8xbf16>, tensor<128x128x8xi8>
}
