// RUN: allo-opt %s --partition-kernels | filecheck %s
// RUN: allo-opt %s --partition-kernels --join-results --collapse-dimensions --plan-tiles > /dev/null

// Three tensors come to a core that has two channels, in parts of rows, and parts that share a channel take a buffer descriptor
// each: a core has those of rows of 4096. Of rows of 6144 a sum is made before, and two tensors come.

// CHECK-LABEL: func.func @short
// CHECK:         call @short_rows_0
// CHECK-NOT:     call
// CHECK:         return
// CHECK-LABEL: func.func @long
// CHECK:         %[[SUM:.*]] = call @long_rows_0(%arg0, %arg1)
// CHECK:         call @long_rows_1(%[[SUM]], %arg2)
// CHECK:         return
func.func @short(%x: tensor<16x4096xf32>, %y: tensor<16x4096xf32>, %w: tensor<4096xf32>) -> tensor<16x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4096xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<16x4096xf32>, tensor<16x4096xf32>) outs(%e : tensor<16x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<16x4096xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<16x4096xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %t = arith.addf %o, %s : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%h, %q, %w : tensor<16x4096xf32>, tensor<16xf32>, tensor<4096xf32>) outs(%e : tensor<16x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %i = math.rsqrt %b : f32
    %p = arith.mulf %a, %i : f32
    %t = arith.mulf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<16x4096xf32>
  return %r : tensor<16x4096xf32>
}
func.func @long(%x: tensor<16x6144xf32>, %y: tensor<16x6144xf32>, %w: tensor<6144xf32>) -> tensor<16x6144xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x6144xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<16x6144xf32>, tensor<16x6144xf32>) outs(%e : tensor<16x6144xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<16x6144xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<16x6144xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %t = arith.addf %o, %s : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%h, %q, %w : tensor<16x6144xf32>, tensor<16xf32>, tensor<6144xf32>) outs(%e : tensor<16x6144xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %i = math.rsqrt %b : f32
    %p = arith.mulf %a, %i : f32
    %t = arith.mulf %p, %c : f32
    linalg.yield %t : f32
  } -> tensor<16x6144xf32>
  return %r : tensor<16x6144xf32>
}
