// RUN: allo-opt %s --split-input-file --verify-diagnostics --expand-families

func.func private @sliced(%a: tensor<64xf32>) -> tensor<32xf32> attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 16>, core = array<i64: 4>}} {
  // expected-error@+1 {{cannot be computed tile by tile with the operations after it; put it in a separate kernel}}
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

// -----

// Of the first tile two rows are padding, of the others none; MLIR's rewrite of such a tile crashed.
func.func private @rows(%a: tensor<16x4xf32>) -> tensor<18x4xf32> attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 6, 2>, core = array<i64: 2, 1>}} {
  %z = arith.constant 1.0 : f32
  // expected-error@+1 {{is tiled in a padded dimension, where tiles would have different amounts of padding; do not tile that loop}}
  %p = tensor.pad %a low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<16x4xf32> to tensor<18x4xf32>
  %e = tensor.empty() : tensor<18x4xf32>
  %r = linalg.copy ins(%p : tensor<18x4xf32>) outs(%e : tensor<18x4xf32>) -> tensor<18x4xf32>
  return %r : tensor<18x4xf32>
}

// -----

// Nor can a sum be taken in parts of what is padded.
func.func private @sums(%x: tensor<8x126xf32>, %w: tensor<128x64xf32>) -> tensor<8x64xf32>
    attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 8, 64, 0>, core = array<i64: 1, 64, 0>}} {
  %z = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{is tiled in a padded dimension, where tiles would have different amounts of padding; do not tile that loop}}
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x126xf32> to tensor<8x128xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<8x128xf32>, tensor<128x64xf32>) outs(%f : tensor<8x64xf32>) attrs = {allo.reduce = array<i64: 0, 0, 16>} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %b : f32
    %s = arith.addf %c, %d : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

// -----

func.func private @one_size(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 8>, core = array<i64: 4>}} {
  %e = tensor.empty() : tensor<8x16xf32>
  // expected-error@+1 {{has 2 loops, and entry 'launch' of its plan has 1 size; write one for each}}
  %r = linalg.copy ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

func.func private @uneven(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {allo.kernel, allo.plan = {family = "tiles", launch = array<i64: 8, 0>, core = array<i64: 3, 16>}} {
  %e = tensor.empty() : tensor<8x16xf32>
  // expected-error@+1 {{has loop 0 of 8 in tiles of 8 for launches and of 3 for cores by its plan; a core's tile must divide the launch tile, and a launch tile the loop}}
  %r = linalg.copy ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
