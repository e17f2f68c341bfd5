// RUN: allo-opt --link-kernels %s | filecheck %s

// A kernel takes parts of the caller's buffers: a copy of its sequence has arguments that begin there. What a copy would bring is
// read where it is, and parts of a result may overlap, the later one on top.

// CHECK:      aie.runtime_sequence @k_0(%{{.*}}: memref<32xi32, strided<[1], offset: 40>>, %{{.*}}: memref<32xi32, strided<[1], offset: 20>>) {
// CHECK:      aie.runtime_sequence @program(%[[X:.*]]: memref<96xi32>, %[[Y:.*]]: memref<52xi32>) {
// CHECK-DAG:    %[[A:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [32], strides: [1] : memref<96xi32> to memref<32xi32>
// CHECK-DAG:    %[[B:.*]] = memref.reinterpret_cast %[[X]] to offset: [40], sizes: [32], strides: [1]
// CHECK-DAG:    %[[C:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [32], strides: [1]
// CHECK-DAG:    %[[D:.*]] = memref.reinterpret_cast %[[Y]] to offset: [20], sizes: [32], strides: [1]
// CHECK:          aiex.run @k(%[[A]], %[[C]])
// CHECK-NEXT:     aiex.run @k_0(%[[B]], %[[D]])
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 0)
  aie.flow(%t, DMA : 0, %t, DMA : 0)
  aie.runtime_sequence @k(%a: memref<32xi32>, %b: memref<32xi32>) {
    aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @out} : memref<32xi32>
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<32xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
func.func private @k(memref<32xi32>, memref<32xi32>)
func.func @program(%x: memref<96xi32>, %y: memref<52xi32>) {
  %a = memref.subview %x[0] [32] [1] : memref<96xi32> to memref<32xi32, strided<[1]>>
  %a0 = memref.cast %a : memref<32xi32, strided<[1]>> to memref<32xi32>
  %r = memref.alloc() : memref<32xi32>
  call @k(%a0, %r) : (memref<32xi32>, memref<32xi32>) -> ()
  %c = memref.subview %y[0] [32] [1] : memref<52xi32> to memref<32xi32, strided<[1]>>
  memref.copy %r, %c : memref<32xi32> to memref<32xi32, strided<[1]>>
  %b = memref.subview %x[40] [32] [1] : memref<96xi32> to memref<32xi32, strided<[1], offset: 40>>
  %b0 = memref.alloc() : memref<32xi32>
  memref.copy %b, %b0 : memref<32xi32, strided<[1], offset: 40>> to memref<32xi32>
  %s = memref.alloc() : memref<32xi32>
  call @k(%b0, %s) : (memref<32xi32>, memref<32xi32>) -> ()
  %d = memref.subview %y[20] [32] [1] : memref<52xi32> to memref<32xi32, strided<[1], offset: 20>>
  memref.copy %s, %d : memref<32xi32> to memref<32xi32, strided<[1], offset: 20>>
  return
}
