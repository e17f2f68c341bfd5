// Vectors of floats times a small matrix each stay as they are, for plan-tiles; other products become batches.
// RUN: allo-opt %s --normalize-matmul=strict=false | filecheck %s

#vector = affine_map<(b, n, k) -> (b, k)>
#rows = affine_map<(b, n, k) -> (b, k, n)>
#columns = affine_map<(b, n, k) -> (b, n, k)>
#out = affine_map<(b, n, k) -> (b, n)>

// CHECK-LABEL: func.func private @columns_are_added
// CHECK:         linalg.generic
// CHECK-NOT:     matmul
func.func private @columns_are_added(%x: tensor<4x32xbf16>, %w: tensor<4x32x64xbf16>) -> tensor<4x64xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.generic {indexing_maps = [#vector, #rows, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x32xbf16>, tensor<4x32x64xbf16>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %c = arith.extf %a : bf16 to f32
    %d = arith.extf %b : bf16 to f32
    %m = arith.mulf %c, %d : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// An odd number of bf16 is not whole words.
// CHECK-LABEL: func.func private @odd_vectors
// CHECK:         linalg.batch_matmul
func.func private @odd_vectors(%x: tensor<4x1x33xbf16>, %w: tensor<4x33x64xbf16>) -> tensor<4x1x64xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<4x1x33xbf16>, tensor<4x33x64xbf16>) outs(%f : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  return %y : tensor<4x1x64xf32>
}

// Rows are added by words alone, and by whole vectors.
// CHECK-LABEL: func.func private @rows_are_added
// CHECK:         linalg.generic
// CHECK-NOT:     matmul
func.func private @rows_are_added(%x: tensor<4x32xf32>, %w: tensor<4x64x32xf32>) -> tensor<4x64xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %y = linalg.generic {indexing_maps = [#vector, #columns, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x32xf32>, tensor<4x64x32xf32>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// A matrix that no memtile holds pays for a launch of its own.
// CHECK-LABEL: func.func private @large
// CHECK:         linalg.batch_matmul
func.func private @large(%x: tensor<4x1x512xf32>, %w: tensor<4x512x512xf32>) -> tensor<4x1x512xf32> attributes {allo.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1x512xf32>) -> tensor<4x1x512xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<4x1x512xf32>, tensor<4x512x512xf32>) outs(%f : tensor<4x1x512xf32>) -> tensor<4x1x512xf32>
  return %y : tensor<4x1x512xf32>
}
