// RUN: allo-opt %s --aie-objectfifo-liveness | filecheck %s

// What goes through as it is: enough objects (2 consumers, 2 times, depth 2: just enough), no replay, and consumers that do not
// wait for one another.

// CHECK: aie.objectfifo @enough
// CHECK: aie.objectfifo @once
// CHECK: aie.objectfifo @apart
aie.device(npu2) {
  %m = aie.tile(0, 1)
  %p = aie.tile(0, 2)
  %q = aie.tile(0, 3)
  %r = aie.tile(0, 4)
  aie.objectfifo @enough(%m, {%p, %q}, 2 : i32) {repeat_count = 2 : i32} : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @once(%m, {%p, %q}, 1 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @h(%p, {%q}, 1 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @apart(%m, {%p, %r}, 1 : i32) {repeat_count = 4 : i32} : !aie.objectfifo<memref<32xi32>>
}
