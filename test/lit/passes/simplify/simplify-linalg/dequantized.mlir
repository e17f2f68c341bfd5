// RUN: allo-opt --simplify-linalg %s | filecheck %s

// A vector times weights with a scale for each row: the sum reads the integers, and makes the weights itself.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: tensor<64x32xf32>
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{.*}} : tensor<1x32xbf16> into tensor<32xbf16>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]} ins(%arg1, %arg2, %[[X]] : tensor<64x32xi8>, tensor<64xf32>, tensor<32xbf16>)
// CHECK-NEXT: ^bb0(%[[W:.*]]: i8, %[[S:.*]]: f32, %[[V:.*]]: bf16, %[[O:.*]]: f32):
// CHECK-DAG:  %[[F:.*]] = arith.sitofp %[[W]] : i8 to f32
// CHECK-DAG:  %[[D:.*]] = arith.mulf %[[F]], %[[S]] : f32
// CHECK-DAG:  %[[E:.*]] = arith.extf %[[V]] : bf16 to f32
// CHECK:      %[[P:.*]] = arith.mulf %[[D]], %[[E]] : f32
// CHECK-NEXT: arith.addf %[[O]], %[[P]] : f32
func.func @rows(%x: tensor<1x32xbf16>, %w: tensor<64x32xi8>, %s: tensor<64xf32>) -> tensor<1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<64x32xi8>, tensor<64xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    %r = arith.mulf %f, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x32xf32>
  %g = tensor.empty() : tensor<1x32xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x32xbf16>) outs(%g : tensor<1x32xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %r = arith.extf %a : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x32xf32>
  %h = tensor.empty() : tensor<1x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%h : tensor<1x64xf32>) -> tensor<1x64xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%v, %d : tensor<1x32xf32>, tensor<64x32xf32>) outs(%z : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// Two vectors are a matrix, for which weights are made once.
// CHECK-LABEL: func.func @two
// CHECK: linalg.matmul
func.func @two(%x: tensor<2x32xf32>, %w: tensor<32x64xi8>) -> tensor<2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<32x64xi8>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    linalg.yield %f : f32
  } -> tensor<32x64xf32>
  %h = tensor.empty() : tensor<2x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%h : tensor<2x64xf32>) -> tensor<2x64xf32>
  %y = linalg.matmul ins(%x, %d : tensor<2x32xf32>, tensor<32x64xf32>) outs(%z : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %y : tensor<2x64xf32>
}

// What is multiplied as integers that are converted there, signed or not, is left to contractions.
// CHECK-LABEL: func.func @integers
// CHECK: linalg.matmul
func.func @integers(%x: tensor<1x32xi8>, %w: tensor<32x64xi8>) -> tensor<1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<32x64xi8>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    linalg.yield %f : f32
  } -> tensor<32x64xf32>
  %h = tensor.empty() : tensor<1x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%h : tensor<1x64xf32>) -> tensor<1x64xf32>
  %y = linalg.matmul ins(%x, %d : tensor<1x32xi8>, tensor<32x64xf32>) outs(%z : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// A vector of one element for all stays a vector.
// CHECK-LABEL: func.func @one
// CHECK: ins(%arg1, %{{.*}} : tensor<32x64xi8>, tensor<32xf32>)
func.func @one(%x: tensor<1x1xbf16>, %w: tensor<32x64xi8>) -> tensor<1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<32x64xi8>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: i8, %o: f32):
    %f = arith.sitofp %a : i8 to f32
    linalg.yield %f : f32
  } -> tensor<32x64xf32>
  %g = tensor.empty() : tensor<1x32xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x1xbf16>) outs(%g : tensor<1x32xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %r = arith.extf %a : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x32xf32>
  %h = tensor.empty() : tensor<1x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%h : tensor<1x64xf32>) -> tensor<1x64xf32>
  %y = linalg.matmul ins(%v, %d : tensor<1x32xf32>, tensor<32x64xf32>) outs(%z : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}
