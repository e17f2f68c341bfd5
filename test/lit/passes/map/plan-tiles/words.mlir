// What is not whole words passes in one dimension, in which few elements make it so.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @sum(%arg0: tensor<1308xi8>) -> tensor<4xi8>
// CHECK:         tensor.extract_slice %arg0[0] [1305] [1]
// CHECK:         tensor.expand_shape {{.*}} output_shape [9, 5, 29]
func.func private @sum(%x: tensor<9x5x29xi8>) -> tensor<i8> attributes {allo.kernel} {
  %z = arith.constant 0 : i8
  %e = tensor.empty() : tensor<i8>
  %f = linalg.fill ins(%z : i8) outs(%e : tensor<i8>) -> tensor<i8>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%x : tensor<9x5x29xi8>) outs(%f : tensor<i8>) {
  ^bb0(%a: i8, %o: i8):
    %n = arith.addi %a, %o : i8
    linalg.yield %n : i8
  } -> tensor<i8>
  return %s : tensor<i8>
}

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<9x5x29xi8>) -> tensor<i8> {
  %s = call @sum(%x) : (tensor<9x5x29xi8>) -> tensor<i8>
  return %s : tensor<i8>
}
