// RUN: allo-opt %s --airrt-to-npu=order=planned | filecheck %s

// A program that only calls control programs stays, with declarations of what have become sequences: link-kernels is for it.

// CHECK:      aie.runtime_sequence @control(%{{.*}}: memref<64xi32>)
// CHECK:      func.func private @control(memref<64xi32>)
// CHECK:      func.func @program(%[[A:.*]]: memref<64xi32>)
// CHECK-NEXT:   call @control(%[[A]]) : (memref<64xi32>) -> ()
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}
func.func private @control(%a: memref<64xi32>) {
  airrt.wait_all {air.launch_end}
  return
}
func.func @program(%a: memref<64xi32>) {
  call @control(%a) : (memref<64xi32>) -> ()
  return
}
