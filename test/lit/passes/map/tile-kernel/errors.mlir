// RUN: allo-opt %s --verify-diagnostics --tile-kernel

func.func private @sliced(%a: tensor<64xf32>) -> tensor<32xf32> attributes {allo.kernel, allo.plan = {launch = array<i64: 16>, herd = array<i64: 4>}} {
  // expected-error@+1 {{cannot be computed tile by tile with the operations behind it; put it in a kernel of its own}}
  %b = tensor.pad %a low[0] high[2] {
  ^bb0(%i: index):
    %z = arith.constant 0.0 : f32
    tensor.yield %z : f32
  } : tensor<64xf32> to tensor<66xf32>
  %d = tensor.extract_slice %b[0] [32] [1] : tensor<66xf32> to tensor<32xf32>
  %e = tensor.empty() : tensor<32xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%d : tensor<32xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<32xf32>
  return %c : tensor<32xf32>
}
