// RUN: allo-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0 logical-tiles=false use-lock-race-condition-fix=true' | filecheck %s
// RUN: allo-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0 logical-tiles=false use-lock-race-condition-fix=true' --air-to-std --airrt-to-npu | filecheck %s --check-prefix=NPU

// What cores and memtiles copy from and to external memory themselves goes over shim channels called after the copies.
// CHECK: aie.device(npu1) @seg
// CHECK-DAG: aie.flow(%[[SHIM:.*]], DMA : 0, %[[CORE:tile_0_2]], DMA : 0)
// CHECK-DAG: aie.flow(%[[CORE]], DMA : 0, %[[SHIM]], DMA : 0)
// CHECK: aie.shim_dma_allocation @airMemcpyId7(%[[SHIM]], S2MM, 0)
// CHECK: aie.shim_dma_allocation @airMemcpyId4(%[[SHIM]], MM2S, 0)
// CHECK: func.func @core
// CHECK: %[[D:.*]] = air.dma_memcpy_nd async [%{{.*}}] (%{{.*}}[] [] [], %{{.*}}[%{{.*}}] [%{{.*}}] [%{{.*}}]) {id = 4 : i32, metadataArray = [{base = "airMemcpyId4", index = 0 : i32}]}
// CHECK: air.dma_memcpy_nd async [%[[D]]] ({{.*}}) {id = 7 : i32, metadataArray = [{base = "airMemcpyId7", index = 0 : i32}]}
// CHECK-NOT: air.channel
// NPU: aie.runtime_sequence @core(%[[A:.*]]: memref<96xi32>, %[[B:.*]]: memref<32xi32>)
// NPU: aiex.dma_configure_task_for @airMemcpyId4
// NPU-NEXT: aie.dma_bd(%[[A]] : memref<96xi32> offset = 64 len = 32 sizes = [32] strides = [1])
// NPU: aiex.dma_configure_task_for @airMemcpyId7
// NPU-NEXT: aie.dma_bd(%[[B]] : memref<32xi32> offset = 0 len = 32 sizes = [32] strides = [1])
func.func @core(%a: memref<96xi32>, %b: memref<32xi32>) {
  %t = air.segment @seg async args(%x = %a, %y = %b) : memref<96xi32>, memref<32xi32> {
    %c1 = arith.constant 1 : index
    %h = air.herd @herd async tile (%i, %j) in (%m = %c1, %n = %c1) args(%p = %x, %q = %y) : memref<96xi32>, memref<32xi32> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %c1_0 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %e, %l = air.execute -> (memref<32xi32, 2>) {
        %z = memref.alloc() : memref<32xi32, 2>
        air.execute_terminator %z : memref<32xi32, 2>
      }
      %d = air.dma_memcpy_nd async [%e] (%l[] [] [], %p[%c64] [%c32] [%c1_0]) {id = 4 : i32} : (memref<32xi32, 2>, memref<96xi32>)
      %g = air.dma_memcpy_nd async [%d] (%q[] [] [], %l[] [] []) {id = 7 : i32} : (memref<32xi32>, memref<32xi32, 2>)
      %f = air.execute [%g] {
        memref.dealloc %l : memref<32xi32, 2>
      }
    }
  }
  return
}

// -----

// CHECK: aie.device(npu1) @filled
// CHECK: aie.memtile_dma
// CHECK: aie.shim_dma_allocation @airMemcpyId0(%{{.*}}, MM2S, 0)
// NPU: aiex.dma_configure_task_for @airMemcpyId0
air.channel @down []
func.func @memtile(%a: memref<64xi32>) {
  air.segment @filled args(%x = %a) : memref<64xi32> {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<64xi32, 1>
    air.dma_memcpy_nd (%m[] [] [], %x[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
    air.channel.put @down[] (%m[] [] []) {id = 1 : i32} : (memref<64xi32, 1>)
    memref.dealloc %m : memref<64xi32, 1>
    air.herd @herd tile (%i, %j) in (%p = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %l = memref.alloc() : memref<64xi32, 2>
      air.channel.get @down[] (%l[] [] []) {id = 2 : i32} : (memref<64xi32, 2>)
      memref.dealloc %l : memref<64xi32, 2>
    }
  }
  return
}
