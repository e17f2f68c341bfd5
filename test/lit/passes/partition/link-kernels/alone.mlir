// RUN: allo-opt --link-kernels %s | filecheck %s

// A program of one kernel is its device's own sequence, which takes what the kernel takes.

// CHECK:      aie.device(npu1) @first
// CHECK:      aie.runtime_sequence @program(%{{.*}}: memref<64xi32>, %{{.*}}: memref<64xi32>) {
// CHECK:      allo_air.host_buffers = {program = {gives = [{place = 1 : i64, type = tensor<8x8xi32>, view = array<i64: 64>}],
// CHECK-SAME:   holds = [{constant = dense<7> : tensor<64xi32>}, {}], takes = [tensor<3xi32>]}}
// CHECK-NOT:  aie.device
// CHECK-NOT:  func.func
aie.device(npu1) @first {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.flow(%t, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @copy(%a: memref<64xi32>, %b: memref<64xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
memref.global "private" constant @weights : memref<64xi32> = dense<7>
func.func private @copy(memref<64xi32>, memref<64xi32>)
func.func @program(%y: memref<64xi32>) attributes {allo_air.host_buffers = {
    takes = [tensor<3xi32>], holds = [], gives = [{place = 0 : i64, type = tensor<8x8xi32>, view = array<i64: 64>}]}} {
  %w = memref.get_global @weights : memref<64xi32>
  %a = memref.alloc() : memref<64xi32>
  call @copy(%w, %a) : (memref<64xi32>, memref<64xi32>) -> ()
  memref.copy %a, %y : memref<64xi32> to memref<64xi32>
  return
}
