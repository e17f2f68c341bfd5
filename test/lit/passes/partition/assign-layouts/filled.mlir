// RUN: allo-opt %s --assign-layouts | filecheck %s

// A fill is data of the program, once for all calls; one of more than 2^20 elements is computed by a kernel.

func.func private @k(%a: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {allo.kernel} {
  return %a : tensor<4x16xf32>
}
func.func private @large(%a: tensor<1025x1024xf32>) -> tensor<1025x1024xf32> attributes {allo.kernel} {
  return %a : tensor<1025x1024xf32>
}
// CHECK:       func.func private @relayout_0() -> tensor<1025x1024xf32>
// CHECK-NOT:   func.func private
// CHECK-LABEL: func.func @f(
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4x16xf32>
// CHECK:         call @k(%[[ZERO]])
// CHECK:         call @k(%[[ZERO]])
// CHECK:         call @relayout_0()
func.func @f() -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<1025x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %x = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %a = call @k(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x16xf32>) {
  ^b(%o: f32):
    linalg.yield %zero : f32
  } -> tensor<4x16xf32>
  %b = call @k(%y) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %d = tensor.empty() : tensor<1025x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%d : tensor<1025x1024xf32>) -> tensor<1025x1024xf32>
  %c = call @large(%z) : (tensor<1025x1024xf32>) -> tensor<1025x1024xf32>
  return %a, %b, %c : tensor<4x16xf32>, tensor<4x16xf32>, tensor<1025x1024xf32>
}
