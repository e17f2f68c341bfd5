// RUN: allo-opt %s --block-contractions="device=npu2 contractions=0" | filecheck %s
// RUN: allo-opt %s --block-contractions="device=npu2 contractions=0" --block-contractions="device=npu2 contractions=0" | filecheck %s
// RUN: allo-opt %s --block-contractions="device=npu1 contractions=0" | filecheck %s --check-prefix=NPU1
// RUN: not allo-opt %s --block-contractions=device=npu7 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: {{.*}}npu7

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A's micro-tile, at a place that the outer counter tells, is read and widened once; B's and the sums change. AIE2 has no blocks.
// CHECK-LABEL: func.func @keeps
// CHECK:         %[[MA:.*]] = memref.alloc() : memref<4x8x8xbf16, 2>
// CHECK:         %[[MB:.*]] = memref.alloc() : memref<4x8x8xbf16, 2>
// CHECK:         scf.for %[[I:.*]] = %c0 to %c3
// CHECK:           %[[AT:.*]] = arith.addi %[[I]], %c1
// CHECK:           %[[A:.*]] = vector.transfer_read %[[MA]][%[[AT]], %c0, %c0]
// CHECK:           %[[WIDE:.*]] = arith.extf %[[A]]
// CHECK:           scf.for %[[J:.*]] = %c0 to %c4
// CHECK-NOT:         vector.transfer_read %[[MA]][
// CHECK:             vector.transfer_read %[[MB]][%[[J]], %c0, %c0]
// CHECK:             vector.contract {{.*}} %[[WIDE]],
// NPU1-LABEL:  func.func @keeps
// NPU1:          scf.for
// NPU1-NEXT:     scf.for
func.func @keeps(%X: memref<4x8x8xbf16, 2>, %Y: memref<4x8x8xbf16, 2>) {
  %A = memref.alloc() : memref<4x8x8xbf16, 2>
  %B = memref.alloc() : memref<4x8x8xbf16, 2>
  memref.copy %X, %A : memref<4x8x8xbf16, 2> to memref<4x8x8xbf16, 2>
  memref.copy %Y, %B : memref<4x8x8xbf16, 2> to memref<4x8x8xbf16, 2>
  %C = memref.alloc() : memref<4x4x8x8xf32, 2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %at = arith.addi %i, %c1 : index
      %sum = vector.transfer_read %C[%j, %i, %c0, %c0], %q {in_bounds = [true, true]} : memref<4x4x8x8xf32, 2>, vector<8x8xf32>
      %a = vector.transfer_read %A[%at, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
      %b = vector.transfer_read %B[%j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
      %af = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
      %bf = arith.extf %b : vector<8x8xbf16> to vector<8x8xf32>
      %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %af, %bf, %sum : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
      vector.transfer_write %r, %C[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<4x4x8x8xf32, 2>
    }
  }
  return
}

// A factor that is turned before it is widened goes with what turns it.
// CHECK-LABEL: func.func @turned
// CHECK:         vector.transfer_read %alloc_0
// CHECK:         vector.shape_cast
// CHECK:         vector.shuffle
// CHECK:         arith.extf
// CHECK:         scf.for
// CHECK-NOT:       vector.shuffle
// CHECK:           vector.contract
func.func @turned(%X: memref<4x8x8xbf16, 2>, %Y: memref<4x8x8xbf16, 2>) {
  %A = memref.alloc() : memref<4x8x8xbf16, 2>
  %B = memref.alloc() : memref<4x8x8xbf16, 2>
  memref.copy %X, %A : memref<4x8x8xbf16, 2> to memref<4x8x8xbf16, 2>
  memref.copy %Y, %B : memref<4x8x8xbf16, 2> to memref<4x8x8xbf16, 2>
  %C = memref.alloc() : memref<4x8x8xf32, 2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %j = %c0 to %c4 step %c1 {
    %sum = vector.transfer_read %C[%j, %c0, %c0], %q {in_bounds = [true, true]} : memref<4x8x8xf32, 2>, vector<8x8xf32>
    %a = vector.transfer_read %A[%j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
    %b = vector.transfer_read %B[%c1, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
    %flat = vector.shape_cast %b : vector<8x8xbf16> to vector<64xbf16>
    %mixed = vector.shuffle %flat, %flat [0, 8, 16, 24, 32, 40, 48, 56, 1, 9, 17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59, 4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29, 37, 45, 53, 61, 6, 14, 22, 30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63] : vector<64xbf16>, vector<64xbf16>
    %t = vector.shape_cast %mixed : vector<64xbf16> to vector<8x8xbf16>
    %af = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
    %bf = arith.extf %t : vector<8x8xbf16> to vector<8x8xf32>
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %af, %bf, %sum : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    vector.transfer_write %r, %C[%j, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<4x8x8xf32, 2>
  }
  return
}

// What the loop writes into is read where it stands; so is what may be the same memory, and a loop that may not run.
// CHECK-LABEL: func.func @written
// CHECK:         scf.for
// CHECK-NEXT:      vector.transfer_read %alloc[
func.func @written(%X: memref<4x8x8xbf16, 2>, %Y: memref<4x8x8xbf16, 2>, %v: vector<8x8xbf16>) {
  %A = memref.alloc() : memref<4x8x8xbf16, 2>
  %B = memref.alloc() : memref<4x8x8xbf16, 2>
  memref.copy %X, %A : memref<4x8x8xbf16, 2> to memref<4x8x8xbf16, 2>
  memref.copy %Y, %B : memref<4x8x8xbf16, 2> to memref<4x8x8xbf16, 2>
  %C = memref.alloc() : memref<4x8x8xf32, 2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  scf.for %j = %c0 to %c4 step %c1 {
    %a = vector.transfer_read %A[%c1, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
    %b = vector.transfer_read %B[%j, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
    %sum = vector.transfer_read %C[%j, %c0, %c0], %q {in_bounds = [true, true]} : memref<4x8x8xf32, 2>, vector<8x8xf32>
    %af = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
    %bf = arith.extf %b : vector<8x8xbf16> to vector<8x8xf32>
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %af, %bf, %sum : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    vector.transfer_write %r, %C[%j, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<4x8x8xf32, 2>
    vector.transfer_write %v, %A[%j, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xbf16>, memref<4x8x8xbf16, 2>
  }
  return
}

// CHECK-LABEL: func.func @unknown
// CHECK:         scf.for
// CHECK-NEXT:      vector.transfer_read %arg0
func.func @unknown(%A: memref<4x8x8xbf16, 2>, %b: vector<8x8xbf16>, %C: memref<4x8x8xf32, 2>, %v: vector<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  scf.for %j = %c0 to %c4 step %c1 {
    %a = vector.transfer_read %A[%c1, %c0, %c0], %p {in_bounds = [true, true]} : memref<4x8x8xbf16, 2>, vector<8x8xbf16>
    %af = arith.extf %a : vector<8x8xbf16> to vector<8x8xf32>
    %bf = arith.extf %b : vector<8x8xbf16> to vector<8x8xf32>
    %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %af, %bf, %v : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    vector.transfer_write %r, %C[%j, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<4x8x8xf32, 2>
  }
  return
}

// Nine micro-tiles are more than registers hold: all of them are read in the loop.
// CHECK-LABEL: func.func @many
// CHECK:         scf.for
// CHECK-COUNT-9:   vector.transfer_read
// CHECK:         }
func.func @many(%v: vector<8x8xbf16>, %sum: vector<8x8xf32>) {
  %A = memref.alloc() : memref<9x8x8xbf16, 2>
  %C = memref.alloc() : memref<4x8x8xf32, 2>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %p = ub.poison : bf16
  %b = arith.extf %v : vector<8x8xbf16> to vector<8x8xf32>
  scf.for %j = %c0 to %c4 step %c1 {
    %i0 = arith.constant 0 : index
    %a0 = vector.transfer_read %A[%i0, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w0 = arith.extf %a0 : vector<8x8xbf16> to vector<8x8xf32>
    %r0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w0, %b, %sum : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i1 = arith.constant 1 : index
    %a1 = vector.transfer_read %A[%i1, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w1 = arith.extf %a1 : vector<8x8xbf16> to vector<8x8xf32>
    %r1 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w1, %b, %r0 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i2 = arith.constant 2 : index
    %a2 = vector.transfer_read %A[%i2, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w2 = arith.extf %a2 : vector<8x8xbf16> to vector<8x8xf32>
    %r2 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w2, %b, %r1 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i3 = arith.constant 3 : index
    %a3 = vector.transfer_read %A[%i3, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w3 = arith.extf %a3 : vector<8x8xbf16> to vector<8x8xf32>
    %r3 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w3, %b, %r2 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i4 = arith.constant 4 : index
    %a4 = vector.transfer_read %A[%i4, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w4 = arith.extf %a4 : vector<8x8xbf16> to vector<8x8xf32>
    %r4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w4, %b, %r3 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i5 = arith.constant 5 : index
    %a5 = vector.transfer_read %A[%i5, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w5 = arith.extf %a5 : vector<8x8xbf16> to vector<8x8xf32>
    %r5 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w5, %b, %r4 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i6 = arith.constant 6 : index
    %a6 = vector.transfer_read %A[%i6, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w6 = arith.extf %a6 : vector<8x8xbf16> to vector<8x8xf32>
    %r6 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w6, %b, %r5 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i7 = arith.constant 7 : index
    %a7 = vector.transfer_read %A[%i7, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w7 = arith.extf %a7 : vector<8x8xbf16> to vector<8x8xf32>
    %r7 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w7, %b, %r6 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    %i8 = arith.constant 8 : index
    %a8 = vector.transfer_read %A[%i8, %c0, %c0], %p {in_bounds = [true, true]} : memref<9x8x8xbf16, 2>, vector<8x8xbf16>
    %w8 = arith.extf %a8 : vector<8x8xbf16> to vector<8x8xf32>
    %r8 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %w8, %b, %r7 : vector<8x8xf32>, vector<8x8xf32> into vector<8x8xf32>
    vector.transfer_write %r8, %C[%j, %c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, memref<4x8x8xf32, 2>
  }
  return
}
