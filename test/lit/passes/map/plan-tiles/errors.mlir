// RUN: allo-opt %s --verify-diagnostics --plan-tiles

// expected-error@+1 {{fits neither a core as a whole nor in tiles: no loop of its last operation can be cut}}
func.func private @sum(%a: tensor<100000xf32>) -> tensor<f32> attributes {allo.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %c = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<100000xf32>) outs(%f : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %c : tensor<f32>
}
