// RUN: allo-opt --legalize-boundary-types %s | filecheck %s

// Results of i64 that are constants, or one number everywhere, become i32 where that holds them.

// CHECK:      func.func @f() -> (tensor<3xi32>, tensor<2x2xi32>, tensor<2xi64>)
// CHECK-SAME:   gives = [{cast = "arith.extsi", place = 0 : i64, type = tensor<3xi64>, view = array<i64: 3>},
// CHECK-SAME:     {cast = "arith.extsi", place = 1 : i64, type = tensor<2x2xi64>, view = array<i64: 2, 2>},
// CHECK-SAME:     {place = 2 : i64, type = tensor<2xi64>, view = array<i64: 2>}]
// CHECK:        %[[C:.*]] = arith.constant dense<[1, -2147483648, 2147483647]> : tensor<3xi32>
// CHECK:        %[[F:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%{{.*}} : tensor<2x2xi32>) -> tensor<2x2xi32>
// CHECK:        return %[[C]], %[[F]], %{{.*}}
func.func @f() -> (tensor<3xi64>, tensor<2x2xi64>, tensor<2xi64>) {
  %c = arith.constant dense<[1, -2147483648, 2147483647]> : tensor<3xi64>
  %n = arith.constant -7 : i64
  %e = tensor.empty() : tensor<2x2xi64>
  %f = linalg.fill ins(%n : i64) outs(%e : tensor<2x2xi64>) -> tensor<2x2xi64>
  %large = arith.constant dense<[0, 2147483648]> : tensor<2xi64>
  return %c, %f, %large : tensor<3xi64>, tensor<2x2xi64>, tensor<2xi64>
}
