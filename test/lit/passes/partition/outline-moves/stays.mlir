// RUN: allo-opt %s --outline-moves | filecheck %s
// RUN: allo-opt %s --outline-moves | not grep moves

// Boxes that begin inside of a 32-bit word.

// CHECK-LABEL: func.func @bytes(
// CHECK:         tensor.pad
func.func @bytes(%x: tensor<256x128xi8>) -> tensor<256x132xi8> {
  %c = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i8
  } : tensor<256x128xi8> to tensor<256x132xi8>
  return %p : tensor<256x132xi8>
}

// Runs of a single word; one box, which tiles in the cores turn.

// CHECK-LABEL: func.func @turned(
// CHECK:         linalg.transpose
func.func @turned(%x: tensor<256x128xf32>) -> tensor<128x256xf32> {
  %e = tensor.empty() : tensor<128x256xf32>
  %t = linalg.transpose ins(%x : tensor<256x128xf32>) outs(%e : tensor<128x256xf32>) permutation = [1, 0]
  return %t : tensor<128x256xf32>
}

// What is small, and one core does.

// CHECK-LABEL: func.func @small(
// CHECK:         tensor.concat
func.func @small(%x: tensor<16x16xf32>) -> tensor<32x16xf32> {
  %p = tensor.concat dim(0) %x, %x : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
  return %p : tensor<32x16xf32>
}

// What a convolution pads itself.

// CHECK-LABEL: func.func @convolved(
// CHECK:         tensor.pad
func.func @convolved(%x: tensor<1x64x64x16xf32>, %w: tensor<3x3x16x16xf32>) -> tensor<1x64x64x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64x64x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x64x64x16xf32>) -> tensor<1x64x64x16xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x64x64x16xf32> to tensor<1x66x66x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x66x66x16xf32>, tensor<3x3x16x16xf32>)
      outs(%f : tensor<1x64x64x16xf32>) -> tensor<1x64x64x16xf32>
  return %c : tensor<1x64x64x16xf32>
}

// Zeros after an argument that goes on, which the caller adds.

// CHECK-LABEL: func.func @behind(
// CHECK:         tensor.pad
func.func @behind(%x: tensor<250x64xf32>) -> tensor<256x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x64xf32>
  %p = tensor.pad %x low[0, 0] high[6, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<250x64xf32> to tensor<256x64xf32>
  %r = linalg.exp ins(%p : tensor<256x64xf32>) outs(%e : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %r : tensor<256x64xf32>
}

// Beside other work: a core has room for columns of 2880 elements.

// CHECK-LABEL: func.func @columns(
// CHECK:         tensor.concat
func.func @columns(%x: tensor<2112x4xf32>, %y: tensor<768x4xf32>) -> tensor<2880x4xf32> {
  %e = tensor.empty() : tensor<2112x4xf32>
  %x1 = linalg.exp ins(%x : tensor<2112x4xf32>) outs(%e : tensor<2112x4xf32>) -> tensor<2112x4xf32>
  %c = tensor.concat dim(0) %x1, %y : (tensor<2112x4xf32>, tensor<768x4xf32>) -> tensor<2880x4xf32>
  return %c : tensor<2880x4xf32>
}
