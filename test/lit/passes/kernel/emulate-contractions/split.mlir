// RUN: allo-opt %s --split-input-file --emulate-contractions | filecheck %s
// RUN: allo-opt %s --split-input-file --emulate-contractions=device=npu2 | filecheck %s --check-prefix=NPU2
// RUN: not allo-opt %s --split-input-file --emulate-contractions=device=npu3 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: 'npu3'

// Buffers are split before the loops in which nobody writes them; the products of the smallest parts come first.

// CHECK-LABEL: func.func @loops
// CHECK-DAG:     %[[B0:.*]] = memref.alloc() : memref<2x2x8x4xbf16, 2>
// CHECK-DAG:     %[[A0:.*]] = memref.alloc() : memref<2x3x4x8xbf16, 2>
// CHECK:         linalg.generic {{.*}} ins(%arg0 : memref<2x3x4x8xf32, 2>) outs(%[[AF:.*]], %[[AS:.*]], %[[AT:[a-z_0-9]*]] :
// CHECK:           %[[F:.*]] = arith.truncf %in
// CHECK:           %[[N:.*]] = arith.minimumf %[[F]]
// CHECK:           %[[F1:.*]] = arith.maximumf %[[N]]
// CHECK:           %[[R:.*]] = arith.subf %in
// CHECK:           %[[F2:.*]] = arith.truncf %[[R]]
// CHECK:           %[[S:.*]] = arith.subf %[[R]]
// CHECK:           %[[F3:.*]] = arith.truncf %[[S]]
// CHECK:           linalg.yield %[[F1]], %[[F2]], %[[F3]]
// CHECK:         linalg.generic {{.*}} ins(%arg1 : memref<2x2x8x4xf32, 2>) outs(%[[BF:.*]], %[[BS:.*]], %[[BT:[a-z_0-9]*]] :
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.for {{.*}} iter_args(%[[ACC:.*]] =
// CHECK-DAG:           vector.transfer_read %[[AF]]
// CHECK-DAG:           vector.transfer_read %[[AS]]
// CHECK-DAG:           vector.transfer_read %[[AT]]
// CHECK-DAG:           vector.transfer_read %[[BF]]
// CHECK-DAG:           vector.transfer_read %[[BS]]
// CHECK-DAG:           vector.transfer_read %[[BT]]
// CHECK:               vector.contract {{.*}}, %[[ACC]] {allo.partial} :
// CHECK-COUNT-4:       vector.contract {{.*}} {allo.partial} :
// CHECK:               vector.contract
// CHECK-NOT:           vector.contract
// CHECK:               scf.yield

// AIE2p has an instruction for this shape, too.
// NPU2-LABEL:  func.func @loops
// NPU2-COUNT-6:  vector.contract
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @loops(%x: memref<2x3x4x8xf32, 2>, %y: memref<2x2x8x4xf32, 2>, %z: memref<2x3x4x4xf32, 2>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %c = vector.transfer_read %z[%j, %i, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x3x4x4xf32, 2>, vector<4x4xf32>
      %r = scf.for %l = %c0 to %c2 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
        %a = vector.transfer_read %x[%l, %i, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x3x4x8xf32, 2>, vector<4x8xf32>
        %b = vector.transfer_read %y[%j, %l, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x2x8x4xf32, 2>, vector<8x4xf32>
        %n = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
        scf.yield %n : vector<4x4xf32>
      }
      vector.transfer_write %r, %z[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<2x3x4x4xf32, 2>
    }
  }
  return
}

// -----

// One that the loop writes is split in each turn, into the same buffers.

// CHECK-LABEL: func.func @written
// CHECK-COUNT-6: memref.alloc() : {{.*}}bf16
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           memref.copy
// CHECK:           linalg.generic
// CHECK:           linalg.generic
// CHECK-COUNT-6:   vector.contract
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @written(%all: memref<3x4x8xf32, 2>, %x: memref<4x8xf32, 2>, %y: memref<8x4xf32, 2>, %z: memref<4x4xf32, 2>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %part = memref.subview %all[%i, 0, 0] [1, 4, 8] [1, 1, 1] : memref<3x4x8xf32, 2> to memref<4x8xf32, strided<[8, 1], offset: ?>, 2>
    memref.copy %part, %x : memref<4x8xf32, strided<[8, 1], offset: ?>, 2> to memref<4x8xf32, 2>
    %c = vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xf32, 2>, vector<4x4xf32>
    %a = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32, 2>, vector<4x8xf32>
    %b = vector.transfer_read %y[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32, 2>, vector<8x4xf32>
    %n = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    vector.transfer_write %n, %z[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32, 2>
  }
  return
}

// -----

// What the device has no instruction for, another kind of sum, and factors that are not reads, stay.

// CHECK-LABEL: func.func @others
// CHECK-NOT:     bf16
// NPU2-LABEL:  func.func @others
// NPU2-NOT:      bf16
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @others(%x: memref<4x4xf32, 2>, %y: memref<4x8xf32, 2>, %z: memref<8x4xf32, 2>, %v: vector<4x8xf32>) -> (vector<4x4xf32>, vector<4x4xf32>, vector<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xf32, 2>, vector<4x4xf32>
  %b = vector.transfer_read %y[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32, 2>, vector<4x8xf32>
  %c = vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32, 2>, vector<8x4xf32>
  %1 = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %a : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
  %2 = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %b, %c, %a : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %3 = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v, %c, %a : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return %1, %2, %3 : vector<4x4xf32>, vector<4x4xf32>, vector<4x4xf32>
}

// -----

// Nests in one another do not share buffers: what is split before the loop stays while others are split in it.

// CHECK-LABEL: func.func @inner
// NPU2-LABEL:  func.func @inner
// CHECK-COUNT-12: memref.alloc() : {{.*}}bf16
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @inner(%x: memref<4x8xf32, 2>, %y: memref<8x4xf32, 2>, %w: memref<4x8xf32, 2>, %s: memref<4x8xf32, 2>, %z: memref<4x4xf32, 2>, %z2: memref<4x4xf32, 2>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %c = vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xf32, 2>, vector<4x4xf32>
    %a = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32, 2>, vector<4x8xf32>
    %b = vector.transfer_read %y[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32, 2>, vector<8x4xf32>
    %n = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    vector.transfer_write %n, %z[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32, 2>
    memref.copy %s, %w : memref<4x8xf32, 2> to memref<4x8xf32, 2>
    %c2 = vector.transfer_read %z2[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xf32, 2>, vector<4x4xf32>
    %a2 = vector.transfer_read %w[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32, 2>, vector<4x8xf32>
    %n2 = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a2, %b, %c2 : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    vector.transfer_write %n2, %z2[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32, 2>
  }
  return
}

// -----

// A matrix by itself transposed; what reads beyond its buffer, a view that its loop makes, and a core of its own.

// CHECK-LABEL: func.func @itself
// CHECK-COUNT-6: vector.contract
// CHECK-LABEL: func.func @beyond
// CHECK-NOT:     bf16
// CHECK-LABEL: func.func @view
// CHECK:         scf.for
// CHECK:           memref.subview
// CHECK:           linalg.generic
// CHECK-COUNT-6:   vector.contract
// CHECK-LABEL: aie.core
// CHECK-NOT:     bf16
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @itself(%x: memref<4x8xf32, 2>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32, 2>, vector<4x8xf32>
  %n = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %c : vector<4x8xf32>, vector<4x8xf32> into vector<4x4xf32>
  return %n : vector<4x4xf32>
}
func.func @beyond(%x: memref<4x6xf32, 2>, %y: memref<8x4xf32, 2>, %c: vector<4x4xf32>) -> vector<4x4xf32> {
  %five = arith.constant 5.0 : f32
  %c0 = arith.constant 0 : index
  %a = vector.transfer_read %x[%c0, %c0], %five {in_bounds = [true, false]} : memref<4x6xf32, 2>, vector<4x8xf32>
  %b = vector.transfer_read %y[%c0, %c0], %five {in_bounds = [true, true]} : memref<8x4xf32, 2>, vector<8x4xf32>
  %n = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return %n : vector<4x4xf32>
}
func.func @view(%x: memref<2x4x8xf32, 2>, %y: memref<8x4xf32, 2>, %z: memref<4x4xf32, 2>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.subview %x[%i, 0, 0] [1, 4, 8] [1, 1, 1] : memref<2x4x8xf32, 2> to memref<4x8xf32, strided<[8, 1], offset: ?>, 2>
    %c = vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xf32, 2>, vector<4x4xf32>
    %a = vector.transfer_read %v[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32, strided<[8, 1], offset: ?>, 2>, vector<4x8xf32>
    %b = vector.transfer_read %y[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32, 2>, vector<8x4xf32>
    %n = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    vector.transfer_write %n, %z[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32, 2>
  }
  return
}
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %full = aie.lock(%t, 0) {init = 0 : i32}
  %free = aie.lock(%t, 1) {init = 1 : i32}
  %x = aie.buffer(%t) {sym_name = "x"} : memref<4x8xf32>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<8x4xf32>
  %z = aie.buffer(%t) {sym_name = "z"} : memref<4x4xf32>
  %core = aie.core(%t) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    aie.use_lock(%full, AcquireGreaterEqual, 1)
    %c = vector.transfer_read %z[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x4xf32>, vector<4x4xf32>
    %a = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %b = vector.transfer_read %y[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %n = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    vector.transfer_write %n, %z[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
    aie.use_lock(%free, Release, 1)
  }
  aie.end
  }
}

// -----

// Halves of i32, without signs: the products of a lower with an upper half are summed up apart, and count 2^16 times.
// CHECK-LABEL: func.func @halves
// CHECK:         %[[L:.*]] = memref.alloc() : memref<3x2x4x2xi16, 2>
// CHECK:         %[[H:.*]] = memref.alloc() : memref<3x2x4x2xi16, 2>
// CHECK:         linalg.generic {{.*}} ins(%arg0 : memref<3x2x4x2xi32, 2>) outs(
// CHECK:           %[[U:.*]] = arith.shrsi %in, %{{.*}} : i32
// CHECK:           %[[A:.*]] = arith.trunci %in : i32 to i16
// CHECK:           %[[B:.*]] = arith.trunci %[[U]] : i32 to i16
// CHECK:           linalg.yield %[[A]], %[[B]]
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<4x8xi32>, vector<4x8xi32>)
// CHECK-COUNT-4:   arith.extui {{.*}} to vector<
// CHECK-COUNT-2:   vector.contract {{.*}}allo.partial
// CHECK:           vector.contract
// CHECK:         vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [16]
// CHECK:         vector.interleave
// CHECK:         vector.extract_strided_slice {{.*}} {offsets = [16], sizes = [16]
// CHECK:         vector.interleave
// CHECK:         arith.addi {{.*}} : vector<32xi32>
// NPU2-LABEL: func.func @halves
// NPU2-NOT:     arith.trunci
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @halves(%a: memref<3x2x4x2xi32, 2>, %b: memref<2x3x2x8xi32, 2>, %c: memref<2x2x4x8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %start = vector.transfer_read %c[%j, %i, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x2x4x8xi32, 2>, vector<4x8xi32>
      %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%sum = %start) -> (vector<4x8xi32>) {
        %x = vector.transfer_read %a[%k, %i, %c0, %c0], %zero {in_bounds = [true, true]} : memref<3x2x4x2xi32, 2>, vector<4x2xi32>
        %y = vector.transfer_read %b[%j, %k, %c0, %c0], %zero {in_bounds = [true, true]} : memref<2x3x2x8xi32, 2>, vector<2x8xi32>
        %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
            %x, %y, %sum : vector<4x2xi32>, vector<2x8xi32> into vector<4x8xi32>
        scf.yield %n : vector<4x8xi32>
      }
      vector.transfer_write %r, %c[%j, %i, %c0, %c0] {in_bounds = [true, true]} : vector<4x8xi32>, memref<2x2x4x8xi32, 2>
    }
  }
  return
}
