// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels --pack-convolutions --verify-each=execute | filecheck %s

// Three groups of five channels, with three of the result each: a group is a block of channels, and has an image of its own.

// CHECK-DAG:   #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, {{.*}}) -> (d0, d1, d2, d3, d4, d6 * 2 + d8, d7 * 2 + d9, d10, d12)>
// CHECK-DAG:   #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, {{.*}}) -> (d3, d4, d5, d8, d9, d12, d11)>
// CHECK:       func.func private @groups_convolution_0(
// CHECK-SAME:    tensor<1x{{[0-9]+}}x{{[0-9]+}}x[[GROUPS:[34]]]x1x{{[0-9]+}}x{{[0-9]+}}x4x8xbf16>, %{{.*}}: tensor<[[GROUPS]]x1x1x3x3x8x4xbf16>
// CHECK:         indexing_maps = [#[[IMAGE]], #[[WEIGHTS]],
func.func @groups(%x: tensor<1x15x41x40xbf16>, %w: tensor<9x5x3x3xbf16>) -> tensor<1x9x21x20xf32> {
  %zx = arith.constant 0.0 : bf16
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : bf16
  } : tensor<1x15x41x40xbf16> to tensor<1x15x43x42xbf16>
  %xe = tensor.expand_shape %p [[0],[1,2],[3],[4]] output_shape [1, 3, 5, 43, 42] : tensor<1x15x43x42xbf16> into tensor<1x3x5x43x42xbf16>
  %we = tensor.expand_shape %w [[0,1],[2],[3],[4]] output_shape [3, 3, 5, 3, 3] : tensor<9x5x3x3xbf16> into tensor<3x3x5x3x3xbf16>
  %e = tensor.empty() : tensor<1x3x3x21x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x3x21x20xf32>) -> tensor<1x3x3x21x20xf32>
  %c = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%xe, %we : tensor<1x3x5x43x42xbf16>, tensor<3x3x5x3x3xbf16>) outs(%f : tensor<1x3x3x21x20xf32>) -> tensor<1x3x3x21x20xf32>
  %cc = tensor.collapse_shape %c [[0],[1,2],[3],[4]] : tensor<1x3x3x21x20xf32> into tensor<1x9x21x20xf32>
  return %cc : tensor<1x9x21x20xf32>
}
