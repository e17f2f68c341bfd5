// RUN: allo-opt %s --split-input-file --partition-kernels | filecheck %s

// A softmax is one kernel as long as its rows fit a core's memory.

// CHECK: func.func private @short_rows_0(%arg0: tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
// CHECK-SAME: allo.partition = "4 operations in 4096 tiles
// CHECK-LABEL: func.func @short
// CHECK: call @short_rows_0
// CHECK: return
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @short(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4096x1024xf32>
  %er = tensor.empty() : tensor<4096xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) outs(%lows : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<4096xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%e : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %n = math.exp %s : f32
    linalg.yield %n : f32
  } -> tensor<4096x1024xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<4096x1024xf32>) outs(%zeros : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %sum : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%e : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4096x1024xf32>
  return %r : tensor<4096x1024xf32>
}

// -----

// Rows that do not fit pass through external memory between kernels.

// CHECK: func.func private @long_rows_0({{.*}}) -> tensor<64xf32>
// CHECK: arith.addf
// CHECK: func.func private @long_rows_1({{.*}}) -> tensor<64x100000xf32>
// CHECK: arith.divf
// CHECK-LABEL: func.func @long(%arg0
// CHECK: %[[SUM:.*]] = call @long_rows_0(%arg0)
// CHECK: call @long_rows_1(%arg0, %[[SUM]])
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @long(%x: tensor<64x100000xf32>) -> tensor<64x100000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x100000xf32>
  %er = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x100000xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<64x100000xf32>, tensor<64xf32>) outs(%e : tensor<64x100000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<64x100000xf32>
  return %r : tensor<64x100000xf32>
}

// -----

// A dimension is not divided where that computes much again for each tile: the sums of long rows are not a dimension of %w.

// CHECK: func.func private @anew_rows_0
// CHECK-SAME: allo.partition = "2 operations in 8 tiles
// CHECK: func.func private @cheap_rows_0
// CHECK-SAME: allo.partition = "2 operations in 32768 tiles
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @anew(%x: tensor<8x4096xf32>, %w: tensor<4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %er = tensor.empty() : tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4096xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %w : tensor<8xf32>, tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
func.func @cheap(%x: tensor<8x2xf32>, %w: tensor<4096xf32>) -> tensor<8x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4096xf32>
  %er = tensor.empty() : tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x2xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %w : tensor<8xf32>, tensor<4096xf32>) outs(%e : tensor<8x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8x4096xf32>
  return %r : tensor<8x4096xf32>
}
