// RUN: allo-opt %s --aie-localize-locks --split-input-file | filecheck %s

// A core of AIE2: own locks from 48, north 32, west 16, south 0; what it does not reach, and locks without id, are left.
// CHECK-LABEL: aie.device(xcve2802)
// CHECK: %[[U:.*]] = aie.lock(%{{.*}}) {sym_name = "u"}
// CHECK: aie.core(%tile_2_4)
// CHECK-DAG: %[[OWN:.*]] = arith.constant 50 : index
// CHECK-DAG: %[[N:.*]] = arith.constant 33 : index
// CHECK-DAG: %[[W:.*]] = arith.constant 31 : index
// CHECK-DAG: %[[S:.*]] = arith.constant 0 : index
// CHECK: aie.use_lock(%[[OWN]], AcquireGreaterEqual
// CHECK: scf.for
// CHECK: aie.use_lock(%[[N]], Release
// CHECK: aie.use_lock(%[[W]], Release
// CHECK: func.call @f(%[[S]], %[[U]])
// CHECK: aie.mem(%tile_2_4)
// CHECK: aie.use_lock(%lock_2_4
aie.device(xcve2802) {
  %t = aie.tile(2, 4)
  %n = aie.tile(2, 5)
  %w = aie.tile(1, 4)
  %s = aie.tile(2, 3)
  %e = aie.tile(3, 4)
  %lt = aie.lock(%t, 2)
  %ln = aie.lock(%n, 1)
  %lw = aie.lock(%w, 15)
  %ls = aie.lock(%s, 0)
  %le = aie.lock(%e, 7)
  %lu = aie.lock(%t) {sym_name = "u"}
  %b = aie.buffer(%t) : memref<4xi32>
  func.func private @f(index, index)
  %core = aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    aie.use_lock(%lt, AcquireGreaterEqual, 1)
    scf.for %i = %c0 to %c4 step %c1 {
      aie.use_lock(%ln, Release, 1)
      aie.use_lock(%lw, Release, 1)
    }
    func.call @f(%ls, %lu) : (index, index) -> ()
    aie.end
  }
  %mem = aie.mem(%t) {
    %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
  ^bd:
    aie.use_lock(%lt, AcquireGreaterEqual, 1)
    aie.dma_bd(%b : memref<4xi32>)
    aie.use_lock(%lt, Release, 1)
    aie.next_bd ^bd
  ^end:
    aie.end
  }
}

// -----

// AIE1: the core's own memory is west in even rows, and east in odd ones.
// CHECK-LABEL: aie.device(xcvc1902)
// CHECK: aie.core(%tile_3_2)
// CHECK: arith.constant 18 : index
// CHECK: aie.core(%tile_3_3)
// CHECK-DAG: arith.constant 50 : index
// CHECK-DAG: arith.constant 2 : index
aie.device(xcvc1902) {
  %t = aie.tile(3, 2)
  %u = aie.tile(3, 3)
  %lt = aie.lock(%t, 2)
  %lu = aie.lock(%u, 2)
  aie.core(%t) {
    aie.use_lock(%lt, Acquire, 1)
    aie.end
  }
  aie.core(%u) {
    aie.use_lock(%lu, Acquire, 1)
    aie.use_lock(%lt, Release, 0)
    aie.end
  }
}
