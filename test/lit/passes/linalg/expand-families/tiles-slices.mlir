// RUN: allo-opt %s --plan-tiles --expand-families | filecheck %s

// Tiles of a slice of an argument are slices of the argument; what no tile cuts is sliced where it is needed.

// CHECK: #[[COLUMN:.*]] = affine_map<(d0) -> (d0 + 512)>
// CHECK: #[[AT:.*]] = affine_map<(d0) -> (d0 + 100)>
// CHECK-LABEL: func.func private @k(%arg0: tensor<256x1536xf32>, %arg1: tensor<1024xf32>)
// CHECK-NOT: extract_slice %arg
// CHECK: scf.forall
// CHECK: %[[J:.*]] = affine.apply #[[COLUMN]](
// CHECK: tensor.extract_slice %arg0[%{{.*}}, %[[J]]]
// CHECK: %[[K:.*]] = affine.apply #[[AT]](
// CHECK: tensor.extract_slice %arg1[%[[K]]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func private @k(%x: tensor<256x1536xf32>, %b: tensor<1024xf32>) -> tensor<256x512xf32> attributes {allo.kernel} {
  %s = tensor.extract_slice %x[0, 512] [256, 512] [1, 1] : tensor<256x1536xf32> to tensor<256x512xf32>
  %c = tensor.extract_slice %b[100] [512] [1] : tensor<1024xf32> to tensor<512xf32>
  %e = tensor.empty() : tensor<256x512xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %c : tensor<256x512xf32>, tensor<512xf32>) outs(%e : tensor<256x512xf32>) {
  ^bb0(%a: f32, %bb: f32, %o: f32):
    %n = arith.addf %a, %bb : f32
    linalg.yield %n : f32
  } -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}
func.func @main(%x: tensor<256x1536xf32>, %b: tensor<1024xf32>) -> tensor<256x512xf32> {
  %0 = call @k(%x, %b) : (tensor<256x1536xf32>, tensor<1024xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}
