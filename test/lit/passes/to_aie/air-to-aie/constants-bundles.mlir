// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s

// A constant that is broadcast is in the buffer of each core; of a bundle each core has its own.

// CHECK-DAG: aie.buffer(%tile_0_2) {{.*}} : memref<4xbf16, 2> = dense<1.500000e+00>
// CHECK-DAG: aie.buffer(%tile_0_3) {{.*}} : memref<4xbf16, 2> = dense<1.500000e+00>
// CHECK-DAG: aie.buffer(%tile_0_2) {{.*}} : memref<2x2xi8, 2> = dense<{{\[\[}}1, 2], [3, 4]]>
// CHECK-DAG: aie.buffer(%tile_0_3) {{.*}} : memref<2x2xi8, 2> = dense<7>
// CHECK-NOT: aie.flow
// CHECK: func.func @f
memref.global "private" @all : memref<4xbf16> = dense<1.5>
memref.global "private" @one : memref<4xi8> = dense<[1, 2, 3, 4]>
memref.global "private" @two : memref<4xi8> = dense<7>
air.channel @c [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_mmio"}
air.channel @d [2] {channel_type = "npu_mmio"}
func.func @f() {
  air.launch () in () {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %all = memref.get_global @all : memref<4xbf16>
    %one = memref.get_global @one : memref<4xi8>
    %two = memref.get_global @two : memref<4xi8>
    air.channel.put @c[%c0, %c0] (%all[] [] []) : (memref<4xbf16>)
    air.channel.put @d[%c0] (%one[] [] []) : (memref<4xi8>)
    air.channel.put @d[%c1] (%two[] [] []) : (memref<4xi8>)
    air.segment @seg {
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %a = memref.alloc() : memref<4xbf16, 2>
        %b = memref.alloc() : memref<2x2xi8, 2>
        air.channel.get @c[%0, %j] (%a[] [] []) : (memref<4xbf16, 2>)
        air.channel.get @d[%j] (%b[] [] []) : (memref<2x2xi8, 2>)
      }
    }
  }
  return
}
