// An argument that is padded, and then seen in another shape, is padded by the caller; what is cut and grows again stays.
// RUN: allo-opt %s --assign-layouts | filecheck %s

func.func private @k(%a: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {allo.kernel} {
  return %a : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-SAME:    %arg0: tensor<128xf32>
// CHECK-SAME:    argument = 0 : i64, {{.*}}outside = -2.000000e+00
// CHECK-NOT:     tensor.pad
// CHECK:         %[[A:.*]] = call @k(%{{.*}})
// CHECK-NOT:     tensor.insert_slice
// CHECK:         call @k(%[[A]])
func.func @main(%x: tensor<121xf32>) -> tensor<8x13xf32> {
  %low = arith.constant -2.0 : f32
  %p = tensor.pad %x low[0] high[7] {
  ^bb0(%i: index):
    tensor.yield %low : f32
  } {allo.brought} : tensor<121xf32> to tensor<128xf32>
  %v = tensor.expand_shape %p [[0, 1]] output_shape [8, 16] : tensor<128xf32> into tensor<8x16xf32>
  %a = call @k(%v) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = tensor.extract_slice %a[0, 0] [8, 13] [1, 1] : tensor<8x16xf32> to tensor<8x13xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %g = tensor.insert_slice %s into %e[0, 0] [8, 13] [1, 1] : tensor<8x13xf32> into tensor<8x16xf32>
  %b = call @k(%g) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = tensor.extract_slice %b[0, 0] [8, 13] [1, 1] : tensor<8x16xf32> to tensor<8x13xf32>
  return %r : tensor<8x13xf32>
}

// What is returned, and is the front of a longer buffer elsewhere, is returned in one dimension, so that it may be that buffer.
// CHECK-LABEL: func.func @returned
// CHECK:         %[[B:.*]] = call @k(
// CHECK:         call @long
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[B]]
// CHECK:         return %{{.*}}, %[[F]] : tensor<144xf32>, tensor<128xf32>
func.func private @long(%a: tensor<144xf32>) -> tensor<144xf32> attributes {allo.kernel} {
  return %a : tensor<144xf32>
}
func.func @returned(%x: tensor<8x16xf32>) -> (tensor<144xf32>, tensor<8x16xf32>) {
  %b = call @k(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %f = tensor.collapse_shape %b [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
  %e = tensor.empty() : tensor<144xf32>
  %l = tensor.insert_slice %f into %e[0] [128] [1] : tensor<128xf32> into tensor<144xf32>
  %c = call @long(%l) : (tensor<144xf32>) -> tensor<144xf32>
  return %c, %b : tensor<144xf32>, tensor<8x16xf32>
}

// A slice that the caller makes may be longer by whole rows, of which the kernel takes as many elements as it wants.
// CHECK-LABEL: func.func @sliced
// CHECK-SAME:    %arg0: tensor<10x13xf32>
// CHECK-SAME:    rows = [array<i64: 2, 1, 0>, array<i64: 3, 0, 1>], shape = array<i64: 10, 13>
// CHECK:         tensor.extract_slice %{{.*}}[0] [128] [1] : tensor<130xf32> to tensor<128xf32>
func.func @sliced(%x: tensor<20x20xf32>) -> tensor<7x16xf32> {
  %n = tensor.empty() : tensor<9x13xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 2, j + 3)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<20x20xf32>) outs(%n : tensor<9x13xf32>) attrs = {allo.brought} {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<9x13xf32>
  %f = tensor.collapse_shape %s [[0, 1]] : tensor<9x13xf32> into tensor<117xf32>
  %e = tensor.empty() : tensor<128xf32>
  %g = tensor.insert_slice %f into %e[0] [117] [1] : tensor<117xf32> into tensor<128xf32>
  %v = tensor.expand_shape %g [[0, 1]] output_shape [8, 16] : tensor<128xf32> into tensor<8x16xf32>
  %c = call @k(%v) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = tensor.extract_slice %c[0, 0] [7, 16] [1, 1] : tensor<8x16xf32> to tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}
