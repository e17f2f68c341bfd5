// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=xcve2802' | filecheck %s

// Buffers that do not fit into the column's first memtile go to the second one; both serve the segment.

// CHECK-LABEL: aie.device(xcve2802) @seg
// CHECK-DAG: %[[M0:.*]] = aie.tile(2, 1)
// CHECK-DAG: %[[M1:.*]] = aie.tile(2, 2)
// CHECK-DAG: aie.buffer(%[[M0]]) {{.*}} : memref<409600xi8, 1>
// CHECK-DAG: aie.buffer(%[[M1]]) {{.*}} : memref<409600xi8, 1>
// CHECK-DAG: aie.memtile_dma(%[[M0]])
// CHECK-DAG: aie.memtile_dma(%[[M1]])
// CHECK: dma_allocations = [{{{.*}}}, {{{.*}}}], sym_name = "seg"
air.channel @in0 []
air.channel @in1 []
air.channel @out0 []
air.channel @out1 []
func.func @f(%a: memref<409600xi8>, %b: memref<409600xi8>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<409600xi8>, memref<409600xi8> {
    air.channel.put @in0[] (%x[] [] []) : (memref<409600xi8>)
    air.channel.put @in1[] (%x[] [] []) : (memref<409600xi8>)
    air.channel.get @out0[] (%y[] [] []) : (memref<409600xi8>)
    air.channel.get @out1[] (%y[] [] []) : (memref<409600xi8>)
    air.segment @seg attributes {x_loc = 2 : i64, x_size = 1 : i64} {
      %l0 = memref.alloc() : memref<409600xi8, 1>
      %l1 = memref.alloc() : memref<409600xi8, 1>
      air.channel.get @in0[] (%l0[] [] []) : (memref<409600xi8, 1>)
      air.channel.put @out0[] (%l0[] [] []) : (memref<409600xi8, 1>)
      air.channel.get @in1[] (%l1[] [] []) : (memref<409600xi8, 1>)
      air.channel.put @out1[] (%l1[] [] []) : (memref<409600xi8, 1>)
      memref.dealloc %l0 : memref<409600xi8, 1>
      memref.dealloc %l1 : memref<409600xi8, 1>
    }
  }
  return
}
