// RUN: allo-opt %s --split-reductions | filecheck %s

// Rows of which a memtile holds some stay in one piece where what depends on their sums reads them again, and there is one for
// each core; others are summed in parts.

// CHECK-LABEL: func.func @again
// CHECK-NOT:     expand_shape
// CHECK-LABEL: func.func @few
// CHECK:         expand_shape
// CHECK-LABEL: func.func @once
// CHECK:         expand_shape
#here = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @again(%a: tensor<16x8192xf32>) -> tensor<16x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#here, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<16x8192xf32>) outs(%z : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  %f = tensor.empty() : tensor<16x8192xf32>
  %r = linalg.generic {indexing_maps = [#here, #row, #here], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<16x8192xf32>, tensor<16xf32>) outs(%f : tensor<16x8192xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.subf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<16x8192xf32>
  return %r : tensor<16x8192xf32>
}

func.func @few(%a: tensor<2x8192xf32>) -> tensor<2x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %s = linalg.generic {indexing_maps = [#here, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x8192xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2xf32>
  %f = tensor.empty() : tensor<2x8192xf32>
  %r = linalg.generic {indexing_maps = [#here, #row, #here], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<2x8192xf32>, tensor<2xf32>) outs(%f : tensor<2x8192xf32>) {
  ^bb0(%x: f32, %n: f32, %o: f32):
    %y = arith.subf %x, %n : f32
    linalg.yield %y : f32
  } -> tensor<2x8192xf32>
  return %r : tensor<2x8192xf32>
}

func.func @once(%a: tensor<16x8192xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#here, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<16x8192xf32>) outs(%z : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %s : tensor<16xf32>
}
