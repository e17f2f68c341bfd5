// RUN: allo-opt %s --air-to-aie=test-patterns=alloc-l1-buffers | filecheck %s

// A new buffer takes no name that is there.
// CHECK: aie.buffer(%{{.*}}) {sym_name = "buf1"}
// CHECK: aie.buffer(%{{.*}}) {sym_name = "buf2"}
// CHECK: memref.load %buf2
module {
  air.channel @c [1, 1]
  aie.device(npu1) {
    %t = aie.tile(1, 3)
    %b = aie.buffer(%t) {sym_name = "buf1"} : memref<8xi32, 2>
    %c = aie.core(%t) {
      %a = memref.alloc() : memref<8xi32, 2>
      %c0 = arith.constant 0 : index
      %v = memref.load %a[%c0] : memref<8xi32, 2>
      aie.end
    }
  }
}
