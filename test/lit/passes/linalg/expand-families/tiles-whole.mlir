// What cannot be cut is computed by one core; its operands pass through L2 to L1.
// RUN: allo-opt %s --plan-tiles --expand-families | filecheck %s

// CHECK-LABEL: func.func private @sum
// CHECK-NOT:     scf.forall
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<16xf32>
// CHECK:         bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<16xf32>
// CHECK:         bufferization.materialize_in_destination {{.*}} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
func.func private @sum(%a: tensor<16xf32>) -> tensor<1xf32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<16xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %c : tensor<1xf32>
}

// A constant that is concatenated is computed by the core, which has no constant arrays.
// CHECK-LABEL: func.func private @ends
// CHECK-NOT:     arith.constant dense
// CHECK:         linalg.fill ins(%c12_i32 : i32)
// CHECK:         tensor.insert_slice {{.*}}[2] [1] [1] : tensor<1xi32> into tensor<3xi32>
func.func private @ends(%a: tensor<3xi32>) -> tensor<3xi32> attributes {allo.kernel} {
  %c = arith.constant dense<12> : tensor<1xi32>
  %s = tensor.extract_slice %a[1] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %r = tensor.concat dim(0) %s, %c : (tensor<2xi32>, tensor<1xi32>) -> tensor<3xi32>
  %e = tensor.empty() : tensor<3xi32>
  %y = linalg.copy ins(%r : tensor<3xi32>) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  return %y : tensor<3xi32>
}
