// RUN: allo-opt %s --split-input-file --peel-tiles --canonicalize | filecheck %s

// The shorter tiles at the end of both dimensions get loops of their own; a loop of one iteration is none.

// CHECK-LABEL: @two_dimensions
// CHECK:         scf.forall ({{.*}}) = (0, 0) to (96, 64) step (32, 32)
// CHECK:           tensor.extract_slice %arg0{{.*}} [32, 32] [1, 1] : tensor<100x70xf32> to tensor<32x32xf32>
// CHECK:         scf.forall ({{.*}}) = (0) to (96) step (32)
// CHECK:           to tensor<32x6xf32>
// CHECK:         scf.forall ({{.*}}) = (0) to (64) step (32)
// CHECK:           to tensor<4x32xf32>
// CHECK-NOT:     scf.forall (
// CHECK:         tensor.extract_slice {{.*}}[96, 64] [4, 6] [1, 1]
func.func @two_dimensions(%x: tensor<100x70xf32>) -> tensor<100x70xf32> {
  %e = tensor.empty() : tensor<100x70xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (100, 70) step (32, 32) shared_outs(%o = %e) -> (tensor<100x70xf32>) {
    %m = affine.min affine_map<(d0) -> (-d0 + 100, 32)>(%i)
    %n = affine.min affine_map<(d0) -> (-d0 + 70, 32)>(%j)
    %xs = tensor.extract_slice %x[%i, %j] [%m, %n] [1, 1] : tensor<100x70xf32> to tensor<?x?xf32>
    %os = tensor.extract_slice %o[%i, %j] [%m, %n] [1, 1] : tensor<100x70xf32> to tensor<?x?xf32>
    %s = linalg.exp ins(%xs : tensor<?x?xf32>) outs(%os : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<100x70xf32>
    }
  }
  return %r : tensor<100x70xf32>
}

// -----

// A loop that carries values hands them from piece to piece; a counter of tiles, not of elements, is looked through.

// CHECK-LABEL: @sum
// CHECK:         %[[C21:.*]] = arith.constant 21 : index
// CHECK:         %[[A:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (index)
// CHECK:         arith.addi %[[A]], %[[C21]]
func.func @sum() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %c0) -> (index) {
    %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %n = affine.min affine_map<(d0) -> (-d0 + 85, 32)>(%o)
    %b = arith.addi %a, %n : index
    scf.yield %b : index
  }
  return %s : index
}

// -----

// Tiles of one size stay, and so do loops whose bounds are not known, or whose sizes another counter changes.

// CHECK-LABEL: @stays
// CHECK:         scf.for
// CHECK:           affine.min
// CHECK-NOT:     scf.for
func.func @stays(%n: index, %a: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %s = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 8)>(%i)[%n]
    memref.store %s, %a[%c0] : memref<64xindex>
  }
  return
}
