// RUN: allo-opt %s --air-to-aie='logical-tiles=false device=npu1 row-offset=2 col-offset=0 use-pkt-flow-at-shim-dma=true' --verify-each=execute | filecheck %s

// What shims read goes in packets; what they write goes over circuits.

// CHECK: aie.dma_bd(%{{.*}} : memref<8xi32, 2> offset = 0 len = 8) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%[[SHIM:.*]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[TILE:.*]], DMA : 0>
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%[[SHIM]], DMA : 1>
// CHECK-NEXT: aie.packet_dest<%[[TILE]], DMA : {{[01]}}>
// CHECK: aie.flow(%[[TILE]], DMA : 0, %[[SHIM]], DMA : 0)
// CHECK-DAG: aie.shim_dma_allocation @airMemcpyId1(%[[SHIM]], MM2S, 0)
// CHECK-DAG: aie.shim_dma_allocation @airMemcpyId2(%[[SHIM]], MM2S, 1)
// CHECK: air.dma_memcpy_nd {{.*}}base = "airMemcpyId1"{{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>
// CHECK: air.dma_memcpy_nd {{.*}}base = "airMemcpyId2"{{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: packet
func.func @add(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%m = %c1, %n = %c1) args(%e = %a, %f = %b, %g = %c) : memref<8xi32>, memref<8xi32>, memref<8xi32> {
    %0 = memref.alloc() : memref<8xi32, 2>
    %1 = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%0[] [] [], %e[] [] []) {id = 1 : i32} : (memref<8xi32, 2>, memref<8xi32>)
    air.dma_memcpy_nd (%1[] [] [], %f[] [] []) {id = 2 : i32} : (memref<8xi32, 2>, memref<8xi32>)
    linalg.add ins(%0, %1 : memref<8xi32, 2>, memref<8xi32, 2>) outs(%0 : memref<8xi32, 2>)
    air.dma_memcpy_nd (%g[] [] [], %0[] [] []) {id = 3 : i32} : (memref<8xi32>, memref<8xi32, 2>)
    memref.dealloc %0 : memref<8xi32, 2>
    memref.dealloc %1 : memref<8xi32, 2>
  }
  return
}
