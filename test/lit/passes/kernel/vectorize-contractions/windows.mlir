// RUN: allo-opt %s --vectorize-contractions | filecheck %s
// RUN: allo-opt %s --vectorize-contractions --verify-each=execute | filecheck %s

// A window of 3 x 3 is one loop of nine turns, which carries the accumulator; rows of pixels are one after another, the next
// row of the image begins 7 - 3 * 2 micro-tiles further on: 86 / 256 is a third of each number below 6.

// CHECK-LABEL: func.func @conv
// CHECK:       %[[IMAGE:.*]] = memref.collapse_shape %arg0 {{\[}}[0, 1], [2], [3]] : {{.*}} into memref<28x4x8xbf16>
// CHECK:       %[[RESULT:.*]] = memref.collapse_shape %arg2 {{\[}}[0], [1, 2], [3], [4]] : {{.*}} into memref<4x6x4x4xf32>
// CHECK:       scf.for %[[F:.*]] = %c0 to %c4
// CHECK:         scf.for %[[P:.*]] = %c0 to %c6
// CHECK:           %[[MANY:.*]] = arith.muli %[[P]], %c86
// CHECK:           %[[ROW:.*]] = arith.shrui %[[MANY]], %c8
// CHECK:           vector.transfer_read %[[RESULT]][%[[F]], %[[P]], %c0, %c0]
// CHECK:           scf.for %[[T:.*]] = %c0 to %c9 {{.*}} -> (vector<4x4xf32>)
// CHECK-DAG:         %[[V:.*]] = arith.remui %[[T]], %c3
// CHECK-DAG:         %[[U:.*]] = arith.divui %[[T]], %c3
// CHECK-DAG:         %[[P2:.*]] = arith.muli %[[P]], %c2
// CHECK-DAG:         %[[PV:.*]] = arith.addi %[[P2]], %[[V]]
// CHECK-DAG:         %[[U7:.*]] = arith.muli %[[U]], %c7
// CHECK-DAG:         %[[PVU:.*]] = arith.addi %[[PV]], %[[U7]]
// CHECK-DAG:         %[[AT:.*]] = arith.addi %[[PVU]], %[[ROW]]
// CHECK:             vector.transfer_read %[[IMAGE]][%[[AT]], %c0, %c0]
// CHECK-SAME:          vector<4x8xbf16>
// CHECK:             vector.transfer_read %arg1[%[[F]], %[[U]], %[[V]], %c0, %c0]
// CHECK:             vector.contract
// CHECK:           vector.transfer_write {{.*}} %[[RESULT]][%[[F]], %[[P]], %c0, %c0]
// CHECK-NOT:   linalg.generic
func.func @conv(%x: memref<4x7x4x8xbf16>, %w: memref<4x3x3x8x4xbf16>, %y: memref<4x2x3x4x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(f, y, x, u, v, m, n, k) -> (y + u, x * 2 + v, m, k)>,
      affine_map<(f, y, x, u, v, m, n, k) -> (f, u, v, k, n)>, affine_map<(f, y, x, u, v, m, n, k) -> (f, y, x, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x7x4x8xbf16>, memref<4x3x3x8x4xbf16>) outs(%y : memref<4x2x3x4x4xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// A window of 5 x 5 is too much to unroll: its rows are an outer loop.

// CHECK-LABEL: func.func @wide
// CHECK:       scf.for %{{.*}} = %c0 to %c5
// CHECK:         scf.for %{{.*}} = %c0 to %c2
// CHECK:           scf.for %{{.*}} = %c0 to %c5 {{.*}} -> (vector<4x8xi32>)
// CHECK-NOT:         arith.divui
func.func @wide(%x: memref<2x5x6x4x8xi8>, %w: memref<2x5x5x8x8xi8>, %y: memref<2x4x8xi32>) {
  linalg.generic {indexing_maps = [affine_map<(c, x, u, v, m, n, k) -> (c, u, x + v, m, k)>,
      affine_map<(c, x, u, v, m, n, k) -> (c, u, v, k, n)>, affine_map<(c, x, u, v, m, n, k) -> (x, m, n)>],
      iterator_types = ["reduction", "parallel", "reduction", "reduction", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<2x5x6x4x8xi8>, memref<2x5x5x8x8xi8>) outs(%y : memref<2x4x8xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %c, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// f32 has the micro-tiles of bf16, whose products emulate-contractions makes of its.

// CHECK-LABEL: func.func @parts
// CHECK:         vector.contract {{.*}} : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
func.func @parts(%x: memref<5x4x8xf32>, %w: memref<3x8x4xf32>, %y: memref<3x4x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(x, v, m, n, k) -> (x + v, m, k)>, affine_map<(x, v, m, n, k) -> (v, k, n)>,
      affine_map<(x, v, m, n, k) -> (x, m, n)>],
      iterator_types = ["parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<5x4x8xf32>, memref<3x8x4xf32>) outs(%y : memref<3x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// Micro-tiles that the device has no instruction for stay.

// CHECK-LABEL: func.func @other
// CHECK:       linalg.generic
func.func @other(%x: memref<4x3x3xf32>, %w: memref<3x3x3xf32>, %y: memref<2x3x3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(x, v, m, n, k) -> (x + v, m, k)>, affine_map<(x, v, m, n, k) -> (v, k, n)>,
      affine_map<(x, v, m, n, k) -> (x, m, n)>],
      iterator_types = ["parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x3x3xf32>, memref<3x3x3xf32>) outs(%y : memref<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
