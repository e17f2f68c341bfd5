// RUN: allo-opt %s --plan-tiles | filecheck %s

// Bodies without vectors, and operations without operands, have a price, too.
// CHECK-LABEL: @copies_indices
// CHECK-SAME: allo.plan
func.func private @copies_indices(%x: tensor<64x64xindex>) -> tensor<64x64xindex> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<64x64xindex>
  %c = linalg.copy ins(%x : tensor<64x64xindex>) outs(%e : tensor<64x64xindex>) -> tensor<64x64xindex>
  return %c : tensor<64x64xindex>
}
func.func @calls_copies(%x: tensor<64x64xindex>) -> tensor<64x64xindex> {
  %r = call @copies_indices(%x) : (tensor<64x64xindex>) -> tensor<64x64xindex>
  return %r : tensor<64x64xindex>
}

// CHECK-LABEL: @adds_poison
// CHECK-SAME: allo.plan
#m = affine_map<(i, j) -> (i, j)>
func.func private @adds_poison(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {allo.kernel} {
  %e = tensor.empty() : tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = ub.poison : f32
    %s = arith.addf %a, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
func.func @calls_adds(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = call @adds_poison(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
