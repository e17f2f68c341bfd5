// RUN: allo-opt %s --generalize-windows --partition-kernels '--pack-convolutions=device=npu2 bfp16=true' | filecheck %s
// RUN: allo-opt %s --generalize-windows --partition-kernels '--pack-convolutions=device=npu2' | filecheck %s --check-prefix=PLAIN
// RUN: not allo-opt %s --generalize-windows --partition-kernels '--pack-convolutions=bfp16=true' 2>&1 | filecheck %s --check-prefix=NONE

// CHECK: micro-tile 8x8x8 of pixels along w
// PLAIN: micro-tile 8x4x8 of pixels along w
// NONE: error: {{.*}} is planned in block floating point (bfp16), which the cores of npu1 do not have
func.func @conv(%x: tensor<1x18x18x16xbf16>, %w: tensor<3x3x16x16xbf16>) -> tensor<1x16x16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x18x18x16xbf16>, tensor<3x3x16x16xbf16>)
      outs(%f : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  return %r : tensor<1x16x16x16xf32>
}
