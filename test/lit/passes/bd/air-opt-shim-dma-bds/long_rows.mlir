// RUN: allo-opt %s --air-opt-shim-dma-bds="device=npu2 shim-dma-tile-sizes=4" --canonicalize | filecheck %s

// Iterations whose transfers are longer than a dimension of a shim's descriptor become a dimension around them: the run is
// divided when the descriptor is made. One whose length has no divisor that fits keeps its loop.

// CHECK-LABEL: @divided
// CHECK-NOT: scf.for
// CHECK: air.channel.put async @rows[] (%{{.*}}[0, 0] [4, 16384] [131072, 1])
// CHECK: air.channel.put async @rows[] (%{{.*}}[0, 524288] [4, 16384] [131072, 1])
// CHECK-LABEL: @prime
// CHECK: scf.for
module {
  air.channel @rows []
  func.func @divided(%a: memref<1048576xbf16>) {
    %c8 = arith.constant 8 : index
    %0 = air.launch async (%i) in (%n=%c8) args(%x=%a) : memref<1048576xbf16> {
      %c1 = arith.constant 1 : index
      %c16384 = arith.constant 16384 : index
      %off = affine.apply affine_map<(d0) -> (d0 * 131072)>(%i)
      %1 = air.channel.put async @rows[] (%x[%off] [%c16384] [%c1]) : (memref<1048576xbf16>)
    }
    return
  }
  func.func @prime(%a: memref<1048576xbf16>) {
    %c8 = arith.constant 8 : index
    %0 = air.launch async (%i) in (%n=%c8) args(%x=%a) : memref<1048576xbf16> {
      %c1 = arith.constant 1 : index
      %c16382 = arith.constant 16382 : index
      %off = affine.apply affine_map<(d0) -> (d0 * 131072)>(%i)
      %1 = air.channel.put async @rows[] (%x[%off] [%c16382] [%c1]) : (memref<1048576xbf16>)
    }
    return
  }
}
