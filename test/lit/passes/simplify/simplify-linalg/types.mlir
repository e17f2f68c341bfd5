// i64 becomes i32 where numbers fit or only low halves count, bits become bytes; arguments and results keep their types.
// RUN: allo-opt %s --simplify-linalg | filecheck %s

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// An index is below 8.
// CHECK-LABEL: func.func @argmax(%arg0: tensor<4x8xf32>) -> tensor<4xi64>
// CHECK:         arith.index_cast {{.*}} : index to i32
// CHECK:         [[AT:%.*]] = linalg.generic {{.*}} ins({{.*}} : tensor<4xi32>) outs({{.*}} : tensor<4xi64>)
// CHECK:           arith.extsi %in : i32 to i64
// CHECK:         return [[AT]] : tensor<4xi64>
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xi64> {
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
  return %r#1 : tensor<4xi64>
}

// The low half of a sum of products needs low halves only.
// CHECK-LABEL: func.func @low_half(
// CHECK-NOT:     i64
// CHECK:         linalg.matmul ins(%arg0, %arg1 : tensor<4x8xi32>, tensor<8x6xi32>) outs({{.*}} : tensor<4x6xi32>)
// CHECK-NOT:     i64
// CHECK:         return
func.func @low_half(%a: tensor<4x8xi32>, %b: tensor<8x6xi32>) -> tensor<4x6xi32> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4x6xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<4x6xi64>) -> tensor<4x6xi64>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xi32>, tensor<8x6xi32>) outs(%f : tensor<4x6xi64>) -> tensor<4x6xi64>
  %t = arith.trunci %r : tensor<4x6xi64> to tensor<4x6xi32>
  return %t : tensor<4x6xi32>
}

// 8 numbers below 128 are below 1024; 8 numbers of any size are not known to fit: their halves and high words are added up.
// CHECK-LABEL: func.func @sums(
// CHECK:         arith.extsi %in : i8 to i32
// CHECK:         arith.andi %in, %c65535_i32 : i32
// CHECK-NEXT:    arith.addi {{.*}} : i32
// CHECK:         arith.shrui %in, %c16_i32 : i32
// CHECK:         arith.shrsi %in, %c31_i32 : i32
// CHECK:         [[W:%.*]]:2 = linalg.generic {{.*}} outs({{.*}} : tensor<4xi32>, tensor<4xi32>)
// CHECK:         [[S:%.*]] = linalg.generic {{.*}} ins([[W]]#0, [[W]]#1 : tensor<4xi32>, tensor<4xi32>) outs({{.*}} : tensor<4xi64>)
// CHECK:         return {{.*}}, [[S]] : tensor<4xi64>, tensor<4xi64>
func.func @sums(%a: tensor<4x8xi8>, %b: tensor<4x8xi32>) -> (tensor<4xi64>, tensor<4xi64>) {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xi8>) outs(%f : tensor<4xi64>) {
  ^bb0(%in: i8, %o: i64):
    %w = arith.extsi %in : i8 to i64
    %n = arith.addi %w, %o : i64
    linalg.yield %n : i64
  } -> tensor<4xi64>
  %s = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<4x8xi32>) outs(%f : tensor<4xi64>) {
  ^bb0(%in: i32, %o: i64):
    %w = arith.extsi %in : i32 to i64
    %n = arith.addi %w, %o : i64
    linalg.yield %n : i64
  } -> tensor<4xi64>
  return %r, %s : tensor<4xi64>, tensor<4xi64>
}

// The whole of a product is returned, of which nothing says that it fits: it is computed in words, of both words of arguments.
// CHECK-LABEL: func.func @whole_product(
// CHECK-COUNT-4: arith.trunci {{.*}} : i64 to i32
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs({{.*}} : tensor<4x6xi32>)
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<4x6xi64>)
func.func @whole_product(%a: tensor<4x8xi64>, %b: tensor<8x6xi64>) -> tensor<4x6xi64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4x6xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<4x6xi64>) -> tensor<4x6xi64>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xi64>, tensor<8x6xi64>) outs(%f : tensor<4x6xi64>) -> tensor<4x6xi64>
  return %r : tensor<4x6xi64>
}

// A remainder of what may be any i64 is one of words, which the caller checks that arguments are.
// CHECK-LABEL: func.func @remainder(
// CHECK:         arith.trunci {{.*}} overflow<nsw> : i64 to i32
// CHECK:         arith.remsi {{.*}} : i32
func.func @remainder(%a: tensor<8xi64>) -> tensor<8xi64> {
  %five = arith.constant dense<5> : tensor<8xi64>
  %r = arith.remsi %a, %five : tensor<8xi64>
  return %r : tensor<8xi64>
}

// CHECK-LABEL: func.func @bits(%arg0: tensor<8xf32>, %arg1: tensor<8xi1>) -> tensor<8xi1>
// CHECK:         [[M:%.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<8xi1>) outs({{.*}} : tensor<8xi8>)
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<8xi8>)
// CHECK:           arith.cmpf
// CHECK:           arith.extui {{.*}} : i1 to i8
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<8xi8>)
// CHECK:           arith.andi {{.*}} : i1
// CHECK:         linalg.generic {{.*}} outs({{.*}} : tensor<8xi1>)
// CHECK:           arith.trunci %in : i8 to i1
func.func @bits(%x: tensor<8xf32>, %m: tensor<8xi1>) -> tensor<8xi1> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %c = arith.cmpf ogt, %x, %zero : tensor<8xf32>
  %r = arith.andi %c, %m : tensor<8xi1>
  return %r : tensor<8xi1>
}

// CHECK-LABEL: func.func @powers(
// CHECK:         [[S:%.*]] = arith.mulf [[X:%.*]], [[X]] : f32
// CHECK-NEXT:    arith.mulf [[S]], [[X]] : f32
// CHECK:         math.sqrt
// CHECK:         math.powf
func.func @powers(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %three = arith.constant dense<3> : tensor<8xi32>
  %p = math.fpowi %x, %three : tensor<8xf32>, tensor<8xi32>
  %q = math.powf %x, %half : tensor<8xf32>
  %r = math.powf %x, %y : tensor<8xf32>
  return %p, %q, %r : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Divisions that round down or up fit where both numbers do; bits are counted in both words; a bit has no cast that the caller does.
// CHECK-LABEL: func.func @words(
// CHECK:           arith.floordivsi {{.*}} : i32
// CHECK:           [[ONES:%.*]] = math.ctpop
// CHECK:           [[MORE:%.*]] = math.ctpop
// CHECK:           arith.addi [[ONES]], [[MORE]] : i32
// CHECK:           [[HIGH:%.*]] = math.ctlz
// CHECK:           arith.extsi {{.*}} : i1 to i32
func.func @words(%x: tensor<8xi64>, %b: tensor<8xi1>) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) {
  %e = tensor.empty() : tensor<8xi64>
  %q = linalg.map ins(%x : tensor<8xi64>) outs(%e : tensor<8xi64>) (%a: i64, %o: i64) {
    %seven = arith.constant 7 : i64
    %d = arith.floordivsi %a, %seven : i64
    linalg.yield %d : i64
  }
  %n = linalg.map ins(%x : tensor<8xi64>) outs(%e : tensor<8xi64>) (%a: i64, %o: i64) {
    %square = arith.muli %a, %a : i64
    %ones = math.ctpop %square : i64
    %front = math.ctlz %square : i64
    %d = arith.addi %ones, %front : i64
    linalg.yield %d : i64
  }
  %m = linalg.map { arith.extsi } ins(%b : tensor<8xi1>) outs(%e : tensor<8xi64>)
  return %q, %n, %m : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}
