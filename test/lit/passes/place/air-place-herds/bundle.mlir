// RUN: allo-opt %s --air-place-herds="num-rows=4 num-cols=4 row-anchor=2" | filecheck %s

// RUN: allo-opt %s --air-place-herds="num-rows=3 num-cols=4 row-anchor=2" | filecheck %s --check-prefix=LOW

// A chain of four over one bundle of cascades: neighbours by the members that they use, from north to south if there are rows.
// CHECK: air.herd @a {{.*}} attributes {x_loc = 0 : i64, y_loc = 5 : i64}
// CHECK: air.herd @b {{.*}} attributes {x_loc = 0 : i64, y_loc = 4 : i64}
// CHECK: air.herd @c {{.*}} attributes {x_loc = 0 : i64, y_loc = 3 : i64}
// CHECK: air.herd @d {{.*}} attributes {x_loc = 0 : i64, y_loc = 2 : i64}
// LOW: air.herd @a {{.*}} attributes {x_loc = 0 : i64, y_loc = 2 : i64}
// LOW: air.herd @b {{.*}} attributes {x_loc = 1 : i64, y_loc = 2 : i64}
// LOW: air.herd @c {{.*}} attributes {x_loc = 2 : i64, y_loc = 2 : i64}
// LOW: air.herd @d {{.*}} attributes {x_loc = 3 : i64, y_loc = 2 : i64}
air.channel @k [3] {channel_type = "cascade"}
func.func @f() {
  %c1 = arith.constant 1 : index
  air.herd @a tile (%x, %y) in (%m = %c1, %n = %c1) {
    %c0 = arith.constant 0 : index
    %u = memref.alloc() : memref<16xi32, 2>
    air.channel.put @k[%c0] (%u[] [] []) : (memref<16xi32, 2>)
  }
  air.herd @b tile (%x, %y) in (%m = %c1, %n = %c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %u = memref.alloc() : memref<16xi32, 2>
    air.channel.get @k[%c0] (%u[] [] []) : (memref<16xi32, 2>)
    air.channel.put @k[%c1_0] (%u[] [] []) : (memref<16xi32, 2>)
  }
  air.herd @c tile (%x, %y) in (%m = %c1, %n = %c1) {
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %u = memref.alloc() : memref<16xi32, 2>
    air.channel.get @k[%c1_0] (%u[] [] []) : (memref<16xi32, 2>)
    air.channel.put @k[%c2] (%u[] [] []) : (memref<16xi32, 2>)
  }
  air.herd @d tile (%x, %y) in (%m = %c1, %n = %c1) {
    %c2 = arith.constant 2 : index
    %u = memref.alloc() : memref<16xi32, 2>
    air.channel.get @k[%c2] (%u[] [] []) : (memref<16xi32, 2>)
  }
  return
}
