// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s --syntax=2026-03 | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s

// What a lock is taken by may come from any operation: a load, a call, a loop with several results.
// CHECK-LABEL: aie.core
// CHECK: %[[LOADED:.*]] = memref.load
// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual, %[[LOADED]])
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual, %arg{{.*}})
// CHECK: aie.use_lock(%{{.*}}, Release, %[[R]]#1)
// CHECK: %[[CALLED:.*]] = func.call @count
// CHECK: aie.use_lock(%{{.*}}, Release, %[[CALLED]])
// CHECK: %[[PART:.*]] = vector.extract
// CHECK: aie.use_lock(%{{.*}}, Release, %[[PART]])
aie.device(npu2) {
  func.func private @count(memref<64xi32>) -> i32
  %tile = aie.tile(0, 2)
  %lock = aie.lock(%tile, 0) {init = 1 : i32}
  %buffer = aie.buffer(%tile) {sym_name = "b"} : memref<64xi32>
  aie.core(%tile) {
    %c = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %buffer[%c] : memref<64xi32>
    aie.use_lock(%lock, AcquireGreaterEqual, %v)
    %r:2 = scf.for %i = %c to %c1 step %c1 iter_args(%a = %v, %q = %v) -> (i32, i32) {
      aie.use_lock(%lock, AcquireGreaterEqual, %a)
      scf.yield %q, %a : i32, i32
    }
    aie.use_lock(%lock, Release, %r#1)
    %n = func.call @count(%buffer) : (memref<64xi32>) -> i32
    aie.use_lock(%lock, Release, %n)
    %w = vector.load %buffer[%c] : memref<64xi32>, vector<16xi32>
    %x = vector.extract %w[3] : i32 from vector<16xi32>
    aie.use_lock(%lock, Release, %x)
    aie.end
  }
}
