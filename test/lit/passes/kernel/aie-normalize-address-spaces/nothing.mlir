// RUN: allo-opt %s --aie-normalize-address-spaces | filecheck %s

// Without spaces nothing changes.
// CHECK: aie.buffer(%{{.*}}) : memref<4xi32>
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<4xi32>
}
