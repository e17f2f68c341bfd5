// RUN: allo-opt %s '--air-place-herds=num-rows=4 num-cols=8 row-anchor=2' | filecheck %s

// Four herds in a chain of cascades lie below each other, from north to south, in whatever order the text has them.

// CHECK: air.herd @c {{.*}}y_loc = 3 : i64
// CHECK: air.herd @a {{.*}}y_loc = 5 : i64
// CHECK: air.herd @b {{.*}}y_loc = 4 : i64
// CHECK: air.herd @d {{.*}}y_loc = 2 : i64
air.channel @c1 [4, 1] {channel_type = "npu_cascade"}
air.channel @c2 [4, 1] {channel_type = "npu_cascade"}
air.channel @c3 [4, 1] {channel_type = "npu_cascade"}
func.func @f() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    air.herd @c tile (%x, %y) in (%sx=%c4, %sy=%c1) {
      %c0 = arith.constant 0 : index
      %b = memref.alloc() : memref<64xi32, 2>
      air.channel.get @c2[%x, %c0] (%b[] [] []) : (memref<64xi32, 2>)
      air.channel.put @c3[%x, %c0] (%b[] [] []) : (memref<64xi32, 2>)
    }
    air.herd @a tile (%x, %y) in (%sx=%c4, %sy=%c1) {
      %c0 = arith.constant 0 : index
      %b = memref.alloc() : memref<64xi32, 2>
      air.channel.put @c1[%x, %c0] (%b[] [] []) : (memref<64xi32, 2>)
    }
    air.herd @b tile (%x, %y) in (%sx=%c4, %sy=%c1) {
      %c0 = arith.constant 0 : index
      %b = memref.alloc() : memref<64xi32, 2>
      air.channel.get @c1[%x, %c0] (%b[] [] []) : (memref<64xi32, 2>)
      air.channel.put @c2[%x, %c0] (%b[] [] []) : (memref<64xi32, 2>)
    }
    air.herd @d tile (%x, %y) in (%sx=%c4, %sy=%c1) {
      %c0 = arith.constant 0 : index
      %b = memref.alloc() : memref<64xi32, 2>
      air.channel.get @c3[%x, %c0] (%b[] [] []) : (memref<64xi32, 2>)
    }
  }
  return
}
