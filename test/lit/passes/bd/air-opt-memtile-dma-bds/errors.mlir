// RUN: not allo-opt %s --air-opt-memtile-dma-bds 2>&1 | filecheck %s
// RUN: not allo-opt %s --air-opt-memtile-dma-bds=device=npu9 2>&1 | filecheck %s --check-prefix=UNKNOWN

// CHECK: pass 'air-opt-memtile-dma-bds': option 'device' is 'xcvc1902', whose descriptors walk one dimension
// UNKNOWN: option 'device' is 'npu9', expected one of npu1
func.func @f() {
  return
}
