// A result that nothing uses goes, with what only it needs; one that another result is made of stays.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// CHECK: [[LAST:#.*]] = affine_map<(d0) -> (d0, 7)>

// CHECK-LABEL: func.func @max(
// CHECK-NOT:     linalg.index
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      arith.maximumf %in, %out : f32
// CHECK-NEXT:      linalg.yield
func.func @max(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xi64>
  %f0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %f1 = linalg.fill ins(%zero : i64) outs(%e1 : tensor<4xi64>) -> tensor<4xi64>
  %r:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f0, %f1 : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %m: f32, %at: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %max = arith.maximumf %in, %m : f32
    %more = arith.cmpf ogt, %in, %m : f32
    %new = arith.select %more, %n, %at : i64
    linalg.yield %max, %new : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %r#0 : tensor<4xf32>
}

// The maximum is not returned, but decides which index is.
// CHECK-LABEL: func.func @argmax(
// CHECK:         [[R:%.*]]:2 = linalg.generic
// CHECK:         return [[R]]#1
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xi32>
  %f0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %f1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f0, %f1 : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%in: f32, %m: f32, %at: i32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %max = arith.maximumf %in, %m : f32
    %more = arith.cmpf ogt, %in, %m : f32
    %new = arith.select %more, %n, %at : i32
    linalg.yield %max, %new : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %r#1 : tensor<4xi32>
}

// A sum of bf16 is kept in f32, and rounded in the end.
// CHECK-LABEL: func.func @brief
// CHECK:         [[S:%.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: bf16, %[[O:.*]]: f32):
// CHECK-NEXT:      [[W:%.*]] = arith.extf %[[X]]
// CHECK-NEXT:      arith.addf {{.*}} : f32
// CHECK:         linalg.generic {{.*}} ins([[S]] : tensor<4xf32>)
// CHECK:           arith.truncf
func.func @brief(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4xbf16>) -> tensor<4xbf16>
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xbf16>) outs(%f : tensor<4xbf16>) {
  ^bb0(%in: bf16, %o: bf16):
    %s = arith.addf %in, %o : bf16
    linalg.yield %s : bf16
  } -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// Products of matrices that are summed in bf16 are summed in f32, named ones too, and rounded in the end.

// CHECK-LABEL: func.func @brief_products
// CHECK:         %[[Z:.*]] = linalg.fill {{.*}} -> tensor<8x4xf32>
// CHECK:         %[[S:.*]] = linalg.{{(matmul|generic).*}} outs(%[[Z]] : tensor<8x4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[S]] : tensor<8x4xf32>) outs({{.*}} : tensor<8x4xbf16>)
// CHECK:           arith.truncf
func.func @brief_products(%a: tensor<8x16xbf16>, %b: tensor<16x4xbf16>) -> tensor<8x4xbf16> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8x4xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<8x4xbf16>) -> tensor<8x4xbf16>
  %m = linalg.matmul ins(%a, %b : tensor<8x16xbf16>, tensor<16x4xbf16>) outs(%f : tensor<8x4xbf16>) -> tensor<8x4xbf16>
  return %m : tensor<8x4xbf16>
}

// Each round writes all again: the last one is left.
// CHECK-LABEL: func.func @last_round(
// CHECK:         linalg.generic {indexing_maps = [[[LAST]], {{.*}}iterator_types = ["parallel"]} ins(%arg0 : tensor<4x8xf32>)
func.func @last_round(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
