// RUN: allo-opt %s --plan-tiles | filecheck %s

// Rows of which a core holds one, but not twice what comes and what leaves: tiles of a row, each with the maximum of all of it.

// CHECK-LABEL: func.func private @long_rows
// CHECK-SAME:    a core's tile 1x1x{{[0-9]+}};
func.func private @long_rows(%x: tensor<3x5000xf32>) -> tensor<3x5000xf32> attributes {allo.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x5000xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.maximumf %a, %o : f32
    linalg.yield %n : f32
  } -> tensor<3xf32>
  %g = tensor.empty() : tensor<3x5000xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<3x5000xf32>, tensor<3xf32>) outs(%g : tensor<3x5000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<3x5000xf32>
  return %r : tensor<3x5000xf32>
}

// Windows at a distance of two that leave out the last row and column of what is padded: channels are cut all the same.

// CHECK-LABEL: func.func private @strided
// CHECK-SAME:    chosen = "herd {{[24]}}x{{[124]}}
func.func private @strided(%x: tensor<8x32x32xf32>) -> tensor<8x16x16xf32> attributes {allo.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %low : f32
  } : tensor<8x32x32xf32> to tensor<8x34x34xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<8x16x16xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, y, x, u, v) -> (c, y * 2 + u, x * 2 + v)>, affine_map<(c, y, x, u, v) -> (u, v)>,
      affine_map<(c, y, x, u, v) -> (c, y, x)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<8x34x34xf32>, tensor<3x3xf32>) outs(%f : tensor<8x16x16xf32>) {
  ^bb0(%a: f32, %z: f32, %o: f32):
    %n = arith.maximumf %a, %o : f32
    linalg.yield %n : f32
  } -> tensor<8x16x16xf32>
  return %r : tensor<8x16x16xf32>
}
