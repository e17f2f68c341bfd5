// RUN: allo-opt %s --aie-normalize-address-spaces | filecheck %s

// Buffers, globals, functions, block arguments and results lose their space; layouts and what is outside of the device stay.
// CHECK: memref.global @outside : memref<8xi32, 2>
// CHECK: memref.global "public" @g : memref<8xi32>
// CHECK: aie.buffer(%{{.*}}) {sym_name = "b"} : memref<64xi32>
// CHECK: func.func private @work(memref<64xi32>, memref<4xi32, strided<[2], offset: ?>>) -> memref<64xi32>
// CHECK: func.func @inner(%[[A:.*]]: memref<64xi32>, %{{.*}}: index) -> i32
// CHECK-NEXT: memref.load %[[A]][%{{.*}}] : memref<64xi32>
// CHECK: memref.subview %b[4] [4] [1] : memref<64xi32> to memref<4xi32, strided<[1], offset: 4>>
module {
  memref.global @outside : memref<8xi32, 2>
  aie.device(npu1) {
    %t = aie.tile(1, 3)
    memref.global "public" @g : memref<8xi32, 2>
    %b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32, 2 : i32>
    func.func private @work(memref<64xi32, 2>, memref<4xi32, strided<[2], offset: ?>, 1>) -> memref<64xi32, 2>
    func.func @inner(%a: memref<64xi32, 2>, %i: index) -> i32 {
      %0 = memref.load %a[%i] : memref<64xi32, 2>
      return %0 : i32
    }
    aie.core(%t) {
      %v = memref.subview %b[4][4][1] : memref<64xi32, 2 : i32> to memref<4xi32, strided<[1], offset: 4>, 2 : i32>
      %g = memref.get_global @g : memref<8xi32, 2>
      aie.end
    }
  }
}
