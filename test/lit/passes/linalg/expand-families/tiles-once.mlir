// RUN: allo-opt %s --expand-families | filecheck %s

// What is the same for all parts of a reduction is brought before their loop, and a tile that is all of a cut front is that front.

// CHECK-LABEL: func.func private @kernel
// CHECK:         scf.forall
// CHECK:           scf.forall
// CHECK:             %[[N:.*]] = tensor.extract_slice %{{.*}}[0] [1] [1] {allo.cut} : tensor<2xbf16> to tensor<bf16>
// CHECK:             scf.for
// CHECK:               bufferization.materialize_in_destination {{.*}} -> tensor<8x4xbf16>
// CHECK:               linalg.generic {{.*}} ins({{.*}}, %[[N]] : tensor<8x4xbf16>, tensor<bf16>)
// CHECK:             %[[W:.*]] = tensor.extract_slice %{{.*}}[0, 0] [3, 16] [1, 1] {allo.cut} : tensor<4x16xbf16> to tensor<3x16xbf16>
// CHECK:             linalg.generic {{.*}} ins({{.*}}, %[[W]] : tensor<8xf32>, tensor<3x16xbf16>)
func.func private @kernel(%x: tensor<64x16xbf16>, %n: tensor<2xbf16>, %w: tensor<4x16xbf16>) -> (tensor<64x3x16xf32>)
    attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 32, 0, 16>, core = array<i64: 8, 0, 16>}} {
  %z = arith.constant 0.0 : f32
  %number = tensor.extract_slice %n[0] [1] [1] {allo.cut} : tensor<2xbf16> to tensor<bf16>
  %front = tensor.extract_slice %w[0, 0] [3, 16] [1, 1] {allo.cut} : tensor<4x16xbf16> to tensor<3x16xbf16>
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> ()>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %number : tensor<64x16xbf16>, tensor<bf16>) outs(%f : tensor<64xf32>) attrs = {allo.reduce = array<i64: 0, 4>} {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %p = arith.mulf %a, %b : bf16
    %q = arith.extf %p : bf16 to f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %g = tensor.empty() : tensor<64x3x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %front : tensor<64xf32>, tensor<3x16xbf16>) outs(%g : tensor<64x3x16xf32>) {
  ^bb0(%a: f32, %b: bf16, %o: f32):
    %q = arith.extf %b : bf16 to f32
    %r = arith.addf %q, %a : f32
    linalg.yield %r : f32
  } -> tensor<64x3x16xf32>
  return %y : tensor<64x3x16xf32>
}
