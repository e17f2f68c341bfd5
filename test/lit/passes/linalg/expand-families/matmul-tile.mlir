// RUN: allo-opt %s --plan-gemm='herd-m=8 herd-n=8 k-step=16 cores-m=2 cores-n=2' --expand-families --canonicalize | filecheck %s

// Launches, cores, operands in L2, and in L1 packed with k outermost; B's micro-tiles row by row.
// CHECK-LABEL: func.func @plain
// CHECK:       scf.forall ({{.*}}) in (2, 2)
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<16x64xbf16>
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<64x16xbf16>
// CHECK:         scf.forall ({{.*}}) in (2, 2)
// CHECK:           linalg.fill {{.*}} tensor<2x2x4x4xf32>
// CHECK:           scf.for
// CHECK:             linalg.pack {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 8] {{.*}} -> tensor<2x2x4x8xbf16>
// CHECK:             linalg.pack {{.*}} inner_dims_pos = [0, 1] inner_tiles = [8, 4] {{.*}} -> tensor<2x2x8x4xbf16>
// CHECK:           linalg.unpack {{.*}} outer_dims_perm = [1, 0]
func.func @plain(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// Transposed operands of 16 bits keep their rows, of which the DMA moves whole words: micro-tiles are k x m and n x k.
// CHECK-LABEL: func.func @transposed
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<64x16xbf16>
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<16x64xbf16>
// CHECK:             linalg.pack {{.*}} inner_dims_pos = [0, 1] inner_tiles = [8, 4] {{.*}} tensor<16x8xbf16> -> tensor<2x2x8x4xbf16>
// CHECK:             linalg.pack {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 8] {{.*}} -> tensor<2x2x4x8xbf16>
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.matmul indexing_maps = [#km, #nk, #mn] ins(%a, %b : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// A batch is one more dimension of the launches; what follows is done in L1, and the result leaves as bf16.
// CHECK-LABEL: func.func @batch
// CHECK:       scf.forall ({{.*}}) in (3, 2, 2)
// CHECK:         bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<16x16xbf16>
// CHECK:           bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<2x2x4x4xbf16>
// CHECK:           linalg.generic {{.*}} tensor<2x2x4x4xf32>
// CHECK:             arith.maximumf
// CHECK:             arith.truncf
// CHECK:           linalg.unpack {{.*}} : tensor<2x2x4x4xbf16> -> tensor<8x8xbf16>
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @batch(%a: tensor<3x32x16xbf16>, %b: tensor<3x16x32xbf16>) -> tensor<3x32x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<3x32x16xbf16>, tensor<3x16x32xbf16>) outs(%init : tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<3x32x32xf32>) outs(%empty : tensor<3x32x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.maximumf %x, %zero : f32
    linalg.yield %r : f32
  } -> tensor<3x32x32xf32>
  %out = tensor.empty() : tensor<3x32x32xbf16>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%relu : tensor<3x32x32xf32>) outs(%out : tensor<3x32x32xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x32x32xbf16>
  return %d : tensor<3x32x32xbf16>
}
