// Constants used in cores stay in them, one copy a core; what only the device uses stays there.
// RUN: allo-opt %s --canonicalize | filecheck %s
// RUN: allo-opt %s --canonicalize --canonicalize | filecheck %s

// CHECK-LABEL: aie.device(npu1)
// CHECK-NOT:     arith.constant
// CHECK:         aie.core(%tile_0_2)
// CHECK-DAG:       arith.constant 0 : index
// CHECK-DAG:       arith.constant 7 : i32
// CHECK:           memref.store
// CHECK:         aie.core(%tile_0_3)
// CHECK:           arith.constant 0 : index
// CHECK:           memref.store
// CHECK:         aie.core(%tile_0_4) {
// CHECK-NEXT:      aie.end
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %d = aie.tile(0, 4)
  %x = aie.buffer(%a) {sym_name = "x"} : memref<4xi32>
  %y = aie.buffer(%b) {sym_name = "y"} : memref<4xi32>
  %c0 = arith.constant 0 : index
  aie.core(%a) {
    %c7 = arith.constant 7 : i32
    memref.store %c7, %x[%c0] : memref<4xi32>
    aie.end
  }
  aie.core(%b) {
    %v = memref.load %y[%c0] : memref<4xi32>
    memref.store %v, %y[%c0] : memref<4xi32>
    aie.end
  }
  aie.core(%d) {
    %unused = arith.constant 5 : i32
    aie.end
  }
}
