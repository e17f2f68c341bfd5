// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1' | filecheck %s

// What goes from external memory to external memory goes through a shim's switch; its ends have allocations of their own.

// CHECK:       aie.device(npu1) @s {
// CHECK:         aie.flow(%[[SHIM:.*]], DMA : 0, %[[SHIM]], DMA : 0)
// CHECK-NEXT:    aie.flow(%[[SHIM]], DMA : 1, %[[SHIM]], DMA : 1)
// CHECK-DAG:     aie.shim_dma_allocation @air_c_0(%[[SHIM]], MM2S, 0)
// CHECK-DAG:     aie.shim_dma_allocation @air_c_1(%[[SHIM]], MM2S, 1)
// CHECK-DAG:     aie.shim_dma_allocation @air_c_out_0_0(%[[SHIM]], S2MM, 0)
// CHECK-DAG:     aie.shim_dma_allocation @air_c_out_0_1(%[[SHIM]], S2MM, 1)
// CHECK-LABEL: func.func @f(
// CHECK:         air.channel.put @c[%{{.*}}, %{{.*}}] {{.*}} {metadataArray = [{base = "air_c_0"
// CHECK:         air.channel.get @c_out_0[%{{.*}}, %{{.*}}] {{.*}} {metadataArray = [{base = "air_c_out_0_0"
air.channel @c [2, 1]
func.func @f(%a: memref<64xf32>, %b: memref<80xf32>) {
  air.launch () in () args(%p=%a, %q=%b) : memref<64xf32>, memref<80xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    air.channel.put @c[%c0, %c0] (%p[%c0] [%c32] [%c1]) : (memref<64xf32>)
    air.channel.get @c[%c0, %c0] (%q[%c0] [%c32] [%c1]) : (memref<80xf32>)
    air.channel.put @c[%c1, %c0] (%p[%c32] [%c32] [%c1]) : (memref<64xf32>)
    air.channel.get @c[%c1, %c0] (%q[%c48] [%c32] [%c1]) : (memref<80xf32>)
    air.segment @s {
    }
  }
  return
}
