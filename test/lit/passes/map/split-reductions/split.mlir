// A row that does not fit into L1 is reduced in parts, and these again.
// RUN: allo-opt %s --split-reductions --canonicalize | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK:         tensor.expand_shape %arg0 {{.*}} output_shape [4, 16, 6250]
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<16x4xf32>)
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {{.*}}["reduction", "parallel"]} ins(%{{.*}} : tensor<16x4xf32>)
func.func @main(%a: tensor<4x100000xf32>) -> tensor<4xf32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i,k) -> (i,k)>, affine_map<(i,k) -> (i)>], iterator_types = ["parallel","reduction"]}
      ins(%a : tensor<4x100000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// A row that fits stays, and so does one of prime length.
// CHECK-LABEL: func.func @short
// CHECK-NOT:     expand_shape
func.func @short(%a: tensor<4x1000xf32>, %b: tensor<1000003xf32>, %z: f32) -> (tensor<4xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i,k) -> (i,k)>, affine_map<(i,k) -> (i)>], iterator_types = ["parallel","reduction"]}
      ins(%a : tensor<4x1000xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %d = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%b : tensor<1000003xf32>) outs(%h : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %c, %d : tensor<4xf32>, tensor<f32>
}
