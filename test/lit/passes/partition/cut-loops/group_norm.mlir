// RUN: allo-opt --cut-loops --canonicalize --cse %s | filecheck %s

// Statistics over the groups of a batch, scales of channels: all of it in the dimensions of both.
// CHECK-LABEL: func.func @group_norm
// CHECK: %[[X:.*]] = tensor.expand_shape %{{.*}} {{.*}} output_shape [2, 4, 3, 25] : tensor<2x12x25xf32> into tensor<2x4x3x25xf32>
// CHECK: %[[S:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[X]] : tensor<2x4x3x25xf32>)
// CHECK-SAME: tensor<2x4xf32>
// CHECK: %[[D:.*]] = linalg.generic
// CHECK-SAME: ins(%[[X]], %[[S]] : tensor<2x4x3x25xf32>, tensor<2x4xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[D]], %{{.*}} : tensor<2x4x3x25xf32>, tensor<4x3xf32>)
// CHECK: tensor.collapse_shape %{{.*}} : tensor<2x4x3x25xf32> into tensor<2x12x25xf32>
func.func @group_norm(%x: tensor<2x12x25xf32>, %w: tensor<12xf32>) -> tensor<2x12x25xf32> {
  %zero = arith.constant 0.0 : f32
  %flat = tensor.collapse_shape %x [[0, 1, 2]] : tensor<2x12x25xf32> into tensor<600xf32>
  %g = tensor.expand_shape %flat [[0, 1]] output_shape [8, 75] : tensor<600xf32> into tensor<8x75xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<8x75xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %h = tensor.empty() : tensor<8x75xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%g, %s : tensor<8x75xf32>, tensor<8xf32>) outs(%h : tensor<8x75xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x75xf32>
  %line = tensor.collapse_shape %d [[0, 1]] : tensor<8x75xf32> into tensor<600xf32>
  %c = tensor.expand_shape %line [[0, 1, 2]] output_shape [2, 12, 25] : tensor<600xf32> into tensor<2x12x25xf32>
  %t = tensor.empty() : tensor<2x12x25xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, i) -> (n, c, i)>, affine_map<(n, c, i) -> (c)>, affine_map<(n, c, i) -> (n, c, i)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %w : tensor<2x12x25xf32>, tensor<12xf32>) outs(%t : tensor<2x12x25xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x12x25xf32>
  return %y : tensor<2x12x25xf32>
}

// Dimensions that do not nest stay as they are, and so do those of elementwise operations alone.
// CHECK-LABEL: func.func @apart
// CHECK: tensor.collapse_shape
// CHECK: tensor.expand_shape
// CHECK: ins(%{{.*}} : tensor<4x6xf32>)
func.func @apart(%x: tensor<6x4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = math.exp %p : f32
    linalg.yield %r : f32
  } -> tensor<6x4xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  %b = tensor.expand_shape %flat [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  %g = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<4x6xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// One group of one batch: its sum has no dimension of more than one element.
// CHECK-LABEL: func.func @one
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction"]} ins(%{{.*}} : tensor<3x25xf32>) outs(%{{.*}} : tensor<f32>)
func.func @one(%x: tensor<1x3x25xf32>, %w: tensor<3xf32>) -> tensor<1x3x25xf32> {
  %zero = arith.constant 0.0 : f32
  %g = tensor.collapse_shape %x [[0], [1, 2]] : tensor<1x3x25xf32> into tensor<1x75xf32>
  %e = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<1x75xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  %h = tensor.empty() : tensor<1x75xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%g, %s : tensor<1x75xf32>, tensor<1xf32>) outs(%h : tensor<1x75xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x75xf32>
  %c = tensor.expand_shape %d [[0], [1, 2]] output_shape [1, 3, 25] : tensor<1x75xf32> into tensor<1x3x25xf32>
  %t = tensor.empty() : tensor<1x3x25xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, i) -> (n, c, i)>, affine_map<(n, c, i) -> (c)>, affine_map<(n, c, i) -> (n, c, i)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c, %w : tensor<1x3x25xf32>, tensor<3xf32>) outs(%t : tensor<1x3x25xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x3x25xf32>
  return %y : tensor<1x3x25xf32>
}

// What the caller pads stays as it is.
// CHECK-LABEL: func.func @padded
// CHECK: tensor.pad
// CHECK: ins(%{{.*}} : tensor<2x10xbf16>)
func.func @padded(%x: tensor<2x5xbf16>, %w: tensor<4xbf16>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : bf16
  } {allo.brought} : tensor<2x5xbf16> to tensor<4x5xbf16>
  %l = tensor.collapse_shape %p [[0, 1]] : tensor<4x5xbf16> into tensor<20xbf16>
  %g = tensor.expand_shape %l [[0, 1]] output_shape [2, 10] : tensor<20xbf16> into tensor<2x10xbf16>
  %e = tensor.empty() : tensor<2xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<2xbf16>) -> tensor<2xbf16>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<2x10xbf16>) outs(%f : tensor<2xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %r = arith.addf %a, %o : bf16
    linalg.yield %r : bf16
  } -> tensor<2xbf16>
  %h = tensor.empty() : tensor<2x10xbf16>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%g, %s : tensor<2x10xbf16>, tensor<2xbf16>) outs(%h : tensor<2x10xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %r = arith.subf %a, %b : bf16
    linalg.yield %r : bf16
  } -> tensor<2x10xbf16>
  %m = tensor.collapse_shape %d [[0, 1]] : tensor<2x10xbf16> into tensor<20xbf16>
  %c = tensor.expand_shape %m [[0, 1]] output_shape [4, 5] : tensor<20xbf16> into tensor<4x5xbf16>
  %t = tensor.empty() : tensor<4x5xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(c, i) -> (c, i)>, affine_map<(c, i) -> (c)>, affine_map<(c, i) -> (c, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %w : tensor<4x5xbf16>, tensor<4xbf16>) outs(%t : tensor<4x5xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %r = arith.mulf %a, %b : bf16
    linalg.yield %r : bf16
  } -> tensor<4x5xbf16>
  return %y : tensor<4x5xbf16>
}
