// What is put at every second place of one number, too large for a core, is spread first, and then padded.
// RUN: allo-opt %s --generalize-movement | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<16x28x28xf32>) outs(%{{.*}} : tensor<16x28x2x28x2xf32>)
// CHECK:           linalg.index 2
// CHECK:           linalg.index 4
// CHECK:         %[[C:.*]] = tensor.collapse_shape {{.*}} : tensor<16x28x2x28x2xf32> into tensor<16x56x56xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[C]][0, 0, 0] [16, 55, 56]
// CHECK:         tensor.pad %[[S]] low[0, {{.*}}, 1] high[0, 0, 1]
func.func @main(%x: tensor<16x28x28xf32>) -> tensor<16x56x58xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x56x58xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x56x58xf32>) -> tensor<16x56x58xf32>
  %s = tensor.insert_slice %x into %f[0, 1, 1] [16, 28, 28] [1, 2, 2] : tensor<16x28x28xf32> into tensor<16x56x58xf32>
  return %s : tensor<16x56x58xf32>
}
