// RUN: allo-opt %s --aie-check-resources --verify-diagnostics

// Buffers declared in a DMA program count.

aie.device(npu1) {
  %tile = aie.tile(0, 2)
  // expected-error@+1 {{65,536 bytes of buffers exceed 63 KiB}}
  %core = aie.core(%tile) {
    aie.end
  }
  %mem = aie.mem(%tile) {
    %a = aie.buffer(%tile) {sym_name = "large"} : memref<16384xi32>
    aie.end
  }
}
