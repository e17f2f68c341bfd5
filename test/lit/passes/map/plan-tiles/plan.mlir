// A length that no tile divides is padded; the calls pass longer tensors.
// RUN: allo-opt %s --plan-tiles | filecheck %s

// CHECK-LABEL: func.func private @twice(%arg0: tensor<{{[0-9]+x[0-9]+}}xf32>)
// CHECK-SAME:    allo.plan = {{{.*}}chosen = "herd {{[0-9]}}x{{.*}} launches of {{.*}}, bound by
func.func private @twice(%a: tensor<1009xf32>) -> tensor<1009xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<1009xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<1009xf32>) outs(%e : tensor<1009xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<1009xf32>
  return %c : tensor<1009xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         tensor.insert_slice %arg0 into %{{.*}}[0] [1009] [1]
// CHECK:         tensor.expand_shape
// CHECK:         call @twice
// CHECK:         tensor.collapse_shape
// CHECK:         tensor.extract_slice %{{.*}}[0] [1009] [1]
func.func @main(%a: tensor<1009xf32>) -> tensor<1009xf32> {
  %c = call @twice(%a) : (tensor<1009xf32>) -> tensor<1009xf32>
  return %c : tensor<1009xf32>
}
