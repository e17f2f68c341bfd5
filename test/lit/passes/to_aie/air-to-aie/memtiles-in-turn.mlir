// RUN: allo-opt %s --syntax=2026-03 --air-to-aie='device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefixes=CHECK,MARCH
// RUN: allo-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 logical-tiles=false' | filecheck %s --check-prefixes=CHECK,AUGUST

// In March L2 buffers went round the memtiles; today those of the cores of one column go below them.

// CHECK-LABEL: aie.device(npu1) @seg
// MARCH-DAG: aie.buffer(%{{.*}}0_1) {{.*}} : memref<4xi32, 1>
// MARCH-DAG: aie.buffer(%{{.*}}1_1) {{.*}} : memref<8xi32, 1>
// MARCH-DAG: aie.buffer(%{{.*}}2_1) {{.*}} : memref<16xi32, 1>
// AUGUST-DAG: aie.buffer(%{{.*}}0_1) {{.*}} : memref<4xi32, 1>
// AUGUST-DAG: aie.buffer(%{{.*}}0_1) {{.*}} : memref<8xi32, 1>
// AUGUST-DAG: aie.buffer(%{{.*}}1_1) {{.*}} : memref<16xi32, 1>
#left = affine_set<()[s0] : (s0 == 0)>
air.channel @in []
air.channel @down [1, 1] {broadcast_shape = [2, 2]}
air.channel @left [1, 2]
air.channel @right [1, 2]
air.channel @out [2]
func.func @f(%a: memref<4xi32>, %b: memref<8xi32>, %c: memref<16xi32>) {
  air.launch () in () args(%x=%a, %y=%b, %z=%c) : memref<4xi32>, memref<8xi32>, memref<16xi32> {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    air.channel.put @in[] (%x[] [] []) : (memref<4xi32>)
    air.channel.get @out[%d0] (%y[] [] []) : (memref<8xi32>)
    air.channel.get @out[%d1] (%z[] [] []) : (memref<16xi32>)
    air.segment @seg {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %0 = memref.alloc() : memref<4xi32, 1>
      %1 = memref.alloc() : memref<8xi32, 1>
      %2 = memref.alloc() : memref<16xi32, 1>
      air.channel.get @in[] (%0[] [] []) : (memref<4xi32, 1>)
      air.channel.put @down[%c0, %c0] (%0[] [] []) : (memref<4xi32, 1>)
      air.herd @herd tile (%i, %j) in (%m = %c2, %n = %c2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %h0 = arith.constant 0 : index
        %v = arith.constant 7 : i32
        %3 = memref.alloc() : memref<4xi32, 2>
        %4 = memref.alloc() : memref<4xi32, 2>
        %5 = memref.alloc() : memref<8xi32, 2>
        air.channel.get @down[%i, %j] (%3[] [] []) : (memref<4xi32, 2>)
        linalg.fill ins(%v : i32) outs(%4 : memref<4xi32, 2>)
        linalg.fill ins(%v : i32) outs(%5 : memref<8xi32, 2>)
        affine.if #left()[%i] {
          air.channel.put @left[%h0, %j] (%4[] [] []) : (memref<4xi32, 2>)
        } else {
          air.channel.put @right[%h0, %j] (%5[] [] []) : (memref<8xi32, 2>)
        }
      }
      air.channel.get @left[%c0, %c0] (%1[%c0] [%c4] [%c1]) : (memref<8xi32, 1>)
      air.channel.get @left[%c0, %c1] (%1[%c4] [%c4] [%c1]) : (memref<8xi32, 1>)
      air.channel.get @right[%c0, %c0] (%2[%c0] [%c8] [%c1]) : (memref<16xi32, 1>)
      air.channel.get @right[%c0, %c1] (%2[%c8] [%c8] [%c1]) : (memref<16xi32, 1>)
      air.channel.put @out[%c0] (%1[] [] []) : (memref<8xi32, 1>)
      air.channel.put @out[%c1] (%2[] [] []) : (memref<16xi32, 1>)
    }
  }
  return
}
