// RUN: allo-opt %s --generalize-movement --canonicalize --cse | filecheck %s

// A slice with gaps is a copy by a map; one that DMAs can fetch stays.

// CHECK: #[[GAPS:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2 + 8)>
// CHECK: #[[ODD:.*]] = affine_map<(d0, d1) -> (d0, d1 + 3)>
// CHECK: #[[PARTS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK: #[[TABLE:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @gaps
// CHECK: linalg.generic {indexing_maps = [#[[GAPS]], #{{.*}}]{{.*}} ins(%arg0 : tensor<16x16xf32>)
func.func @gaps(%x: tensor<16x16xf32>) -> tensor<16x4xf32> {
  %s = tensor.extract_slice %x[0, 8] [16, 4] [1, 2] : tensor<16x16xf32> to tensor<16x4xf32>
  return %s : tensor<16x4xf32>
}

// CHECK-LABEL: func.func @box
// CHECK: tensor.extract_slice %arg0[0, 3] [5, 7] [1, 1]
func.func @box(%x: tensor<16x16xf32>) -> tensor<5x7xf32> {
  %s = tensor.extract_slice %x[0, 3] [5, 7] [1, 1] : tensor<16x16xf32> to tensor<5x7xf32>
  return %s : tensor<5x7xf32>
}

// One that begins in the middle of a word is read from the row's beginning.

// CHECK-LABEL: func.func @odd
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %arg0[2, 0] [5, 16] [1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[ODD]], #{{.*}}]{{.*}} ins(%[[ROWS]]
func.func @odd(%x: tensor<16x16xbf16>) -> tensor<5x7xbf16> {
  %s = tensor.extract_slice %x[2, 3] [5, 7] [1, 1] : tensor<16x16xbf16> to tensor<5x7xbf16>
  return %s : tensor<5x7xbf16>
}

// CHECK-LABEL: func.func @concat
// CHECK: %[[LONG:.*]] = linalg.generic {indexing_maps = [#[[PARTS]], #[[PARTS]], #{{.*}}]{{.*}} ins(%arg0, %arg1
// CHECK: %[[AT:.*]] = linalg.index 0
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[AT]], %c0
// CHECK: arith.select %[[FIRST]], %in, %in_
// CHECK: tensor.collapse_shape %[[LONG]] {{\[\[}}0, 1], [2]]
func.func @concat(%x: tensor<4x6xi8>, %y: tensor<4x6xi8>) -> tensor<8x6xi8> {
  %s = tensor.concat dim(0) %x, %y : (tensor<4x6xi8>, tensor<4x6xi8>) -> tensor<8x6xi8>
  return %s : tensor<8x6xi8>
}

// CHECK-LABEL: func.func @gather
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[TABLE]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1, %arg0
// CHECK: %[[PLACE:.*]] = arith.index_cast %in
// CHECK: %[[ROW:.*]] = linalg.index 2
// CHECK: %[[HERE:.*]] = arith.cmpi eq, %[[PLACE]], %[[ROW]]
// CHECK: arith.select %[[HERE]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @gather(%table: tensor<20x12xf32>, %i: tensor<7xi64>) -> tensor<7x12xf32> {
  %empty = tensor.empty() : tensor<7x12xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<7xi64>) outs(%empty : tensor<7x12xf32>) {
  ^bb0(%in: i64, %out: f32):
    %row = arith.index_cast %in : i64 to index
    %column = linalg.index 1 : index
    %e = tensor.extract %table[%row, %column] : tensor<20x12xf32>
    linalg.yield %e : f32
  } -> tensor<7x12xf32>
  return %r : tensor<7x12xf32>
}

// The heads of a transformer are slices of a reshape, not reshapes of slices.

// CHECK-LABEL: func.func @heads
// CHECK: %[[WIDE:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [16, 12, 16]
// CHECK: tensor.extract_slice %[[WIDE]][0, 4, 0] [16, 4, 16] [1, 1, 1]
func.func @heads(%x: tensor<16x192xf32>) -> tensor<16x4x16xf32> {
  %s = tensor.extract_slice %x[0, 64] [16, 64] [1, 1] : tensor<16x192xf32> to tensor<16x64xf32>
  %r = tensor.expand_shape %s [[0], [1, 2]] output_shape [16, 4, 16] : tensor<16x64xf32> into tensor<16x4x16xf32>
  return %r : tensor<16x4x16xf32>
}

// A reshape that tears the slice apart stays.

// CHECK-LABEL: func.func @torn
// CHECK: tensor.extract_slice %arg0[0, 2] [16, 4]
// CHECK: tensor.expand_shape
func.func @torn(%x: tensor<16x8xf32>) -> tensor<16x1x4xf32> {
  %s = tensor.extract_slice %x[0, 2] [16, 4] [1, 1] : tensor<16x8xf32> to tensor<16x4xf32>
  %r = tensor.expand_shape %s [[0], [1, 2]] output_shape [16, 1, 4] : tensor<16x4xf32> into tensor<16x1x4xf32>
  return %r : tensor<16x1x4xf32>
}

// What is planned stays.

// CHECK-LABEL: func.func private @planned
// CHECK: tensor.extract_slice %arg0[0, 8] [16, 4] [1, 2]
func.func private @planned(%x: tensor<16x16xf32>) -> tensor<16x4xf32> attributes {allo.kernel, allo.plan = {family = "matmul"}} {
  %s = tensor.extract_slice %x[0, 8] [16, 4] [1, 2] : tensor<16x16xf32> to tensor<16x4xf32>
  return %s : tensor<16x4xf32>
}
