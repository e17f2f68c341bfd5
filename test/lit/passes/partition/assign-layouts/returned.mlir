// RUN: allo-opt --assign-layouts %s | filecheck %s

// What the caller joins with another buffer is copied by a kernel if it is an argument or a constant.

// CHECK-LABEL: func.func @words(%arg0: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0>
// CHECK:         %[[MADE:.*]] = call @k(%arg0)
// CHECK:         %[[LOW:.*]] = call @relayout_0(%arg0)
// CHECK:         %[[HIGH:.*]] = call @{{.*}}(%[[ZERO]])
// CHECK:         return %[[LOW]], %[[MADE]], %[[HIGH]]
func.func private @k(%a: tensor<4xi32>) -> tensor<4xi32> attributes {allo.kernel} {
  %r = linalg.add ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @words(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) attributes {allo_air.host_buffers = {
    takes = [tensor<4xi64>], holds = [{argument = 0 : i64, cast = "arith.trunci", view = array<i64: 4>}], gives = [
      {cast = "arith.extsi", high = {cast = "arith.extsi", place = 3 : i64, type = tensor<4xi64>, view = array<i64: 4>},
       place = 1 : i64, type = tensor<4xi64>, view = array<i64: 4>},
      {cast = "arith.extsi", high = {cast = "arith.extsi", place = 4 : i64, type = tensor<4xi64>, view = array<i64: 4>},
       place = 2 : i64, type = tensor<4xi64>, view = array<i64: 4>}]}} {
  %high = arith.constant dense<0> : tensor<4xi32>
  %r = call @k(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %x, %r, %r, %high : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}
