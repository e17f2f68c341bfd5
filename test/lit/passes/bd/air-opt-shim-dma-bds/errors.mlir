// RUN: not allo-opt %s --air-opt-shim-dma-bds=device=npu1 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-opt-shim-dma-bds=device=xcvc1902 2>&1 | filecheck %s --check-prefix=AIE1
// RUN: not allo-opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=-1" 2>&1 | filecheck %s --check-prefix=SIZE

// AIE1: pass 'air-opt-shim-dma-bds': option 'device' is 'xcvc1902', whose descriptors walk one dimension
// SIZE: option 'shim-dma-tile-sizes' has a size below 0
func.func @f(%n: index) {
  // CHECK: errors.mlir:9:{{.*}}has a size that is not constant
  %t = air.launch async (%i) in (%m=%n) {
  }
  return
}
