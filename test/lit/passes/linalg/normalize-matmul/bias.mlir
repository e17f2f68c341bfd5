// RUN: allo-opt %s --normalize-matmul | filecheck %s

// What the sums start from is added afterwards; a broadcast becomes part of the indexing maps.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @onto_argument
// CHECK:       %[[ZEROS:.*]] = linalg.fill
// CHECK:       %[[R:.*]] = linalg.matmul {{.*}} outs(%[[ZEROS]]
// CHECK:       linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]]{{.*}} ins(%[[R]], %arg2
// CHECK:         arith.addf
func.func @onto_argument(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @broadcast
// CHECK-NOT:   linalg.broadcast
// CHECK:       linalg.generic {indexing_maps = [#[[ID]], #[[COLUMN]], #[[ID]]]{{.*}} ins(%{{.*}}, %arg2 : tensor<8x8xi32>, tensor<8xi32>)
// CHECK:         arith.addi
func.func @broadcast(%a: tensor<8x4xi32>, %b: tensor<4x8xi32>, %bias: tensor<8xi32>) -> tensor<8x8xi32> {
  %empty = tensor.empty() : tensor<8x8xi32>
  %init = linalg.broadcast ins(%bias : tensor<8xi32>) outs(%empty : tensor<8x8xi32>) dimensions = [0]
  %r = linalg.matmul ins(%a, %b : tensor<8x4xi32>, tensor<4x8xi32>) outs(%init : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}

// A named operation is written out, a linalg.generic that broadcasts is folded.

// CHECK-LABEL: func.func @named
// CHECK-COUNT-1: linalg.generic {indexing_maps = [#[[ROW]], #[[ID]], #[[ID]]]{{.*}} ins(%arg2, %{{.*}} : tensor<8x1xf32>, tensor<8x8xf32>)
// CHECK-NOT:   linalg.generic
func.func @named(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %bias: tensor<8x1xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, 0)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%bias : tensor<8x1xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  %s = linalg.add ins(%wide, %r : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// A cast is not a broadcast, though it has one operand; consumers may use the result several times.

// CHECK-LABEL: func.func @cast
// CHECK:       arith.truncf
// CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x8xbf16>, tensor<8x8xf32>)
func.func @cast(%a: tensor<8x4xbf16>, %b: tensor<4x8xbf16>) -> tensor<8x8xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x4xbf16>, tensor<4x8xbf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %narrow = tensor.empty() : tensor<8x8xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8x8xf32>) outs(%narrow : tensor<8x8xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<8x8xbf16>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%t, %r : tensor<8x8xbf16>, tensor<8x8xf32>) outs(%narrow : tensor<8x8xbf16>) {
  ^bb0(%x: bf16, %z: f32, %o: bf16):
    %w = arith.truncf %z : f32 to bf16
    %y = arith.mulf %x, %w : bf16
    linalg.yield %y : bf16
  } -> tensor<8x8xbf16>
  return %s : tensor<8x8xbf16>
}

// So is a linalg.map.
// CHECK-LABEL: func.func @map
// CHECK:       %[[R:.*]] = linalg.matmul
// CHECK:       linalg.generic {{.*}} ins(%[[R]] : tensor<8x8xf32>)
// CHECK:         arith.truncf
func.func @map(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = tensor.empty() : tensor<8x8xbf16>
  %c = linalg.map { arith.truncf } ins(%r : tensor<8x8xf32>) outs(%n : tensor<8x8xbf16>)
  return %c : tensor<8x8xbf16>
}
