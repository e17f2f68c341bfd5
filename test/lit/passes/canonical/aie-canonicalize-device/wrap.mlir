// RUN: allo-opt %s --aie-canonicalize-device --split-input-file | filecheck %s

// A design without a device is one for xcvc1902.
// CHECK: module {
// CHECK-NEXT: aie.device(xcvc1902) {
// CHECK-NEXT: %[[T:.*]] = aie.tile(1, 1)
// CHECK: %[[L:.*]] = aie.lock(%[[T]], 3)
// CHECK: aie.core(%[[T]])
// CHECK: aie.use_lock(%[[L]], Acquire
// CHECK: func.func private @f
module {
  %t = aie.tile(1, 1)
  %l = aie.lock(%t, 3)
  aie.core(%t) {
    aie.use_lock(%l, Acquire, 1)
    aie.end
  }
  func.func private @f(memref<4xi32>)
}

// -----

// Where there is a device, nothing is put around.
// CHECK: module {
// CHECK-NEXT: func.func private @f
// CHECK-NEXT: aie.device(npu2) {
func.func private @f(memref<4xi32>)
aie.device(npu2) {
  %t = aie.tile(1, 2)
}

// -----

// Nor where there is nothing of a device.
// CHECK: module {
// CHECK-NEXT: func.func @g
// CHECK-NOT: aie.device
func.func @g() {
  return
}

// -----

// An empty module stays so.
// CHECK: module {
// CHECK-NEXT: }
module {
}
