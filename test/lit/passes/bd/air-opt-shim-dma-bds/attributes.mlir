// RUN: allo-opt %s --air-opt-shim-dma-bds="device=npu1 shim-dma-tile-sizes=1" | filecheck %s

air.channel @c [1]

// A launch's own sizes go before the option: 0 cuts nothing.

// CHECK-LABEL: func.func @own
// CHECK:         air.channel.put async {{.*}} (%{{.*}}[] [] [])
// CHECK:         air.launch_end
// CHECK-NOT:     air.channel.put
// CHECK-LABEL: func.func @order
func.func @own(%a: memref<32xi32>) {
  %c4 = arith.constant 4 : index
  %t = air.launch async (%i) in (%n=%c4) args(%x=%a) : memref<32xi32> attributes {air.shim_dma_tile_sizes = [0]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %o = arith.muli %i, %c8 : index
    %p = air.channel.put async @c[%c0] (%x[%o] [%c8] [%c1]) : (memref<32xi32>)
  }
  return
}

// The order of transfers is kept on demand, and the mark handed on; one iteration needs no loop.

// CHECK:         scf.for
// CHECK:           air.channel.put async {{.*}} {air.preserve_shim_dma_order}
// CHECK-LABEL: func.func @single
// CHECK:         air.launch async () in ()
// CHECK-NOT:     scf.for
// CHECK:         air.channel.put async @c[%c0{{.*}}] (%{{.*}}[] [] [])
func.func @order(%a: memref<32xi32>) {
  %c4 = arith.constant 4 : index
  %t = air.launch async (%i) in (%n=%c4) args(%x=%a) : memref<32xi32> attributes {air.shim_dma_tile_sizes = [4], air.preserve_shim_dma_order} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %o = arith.muli %i, %c8 : index
    %p = air.channel.put async @c[%c0] (%x[%o] [%c8] [%c1]) : (memref<32xi32>)
  }
  return
}
func.func @single(%a: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.launch async (%i, %j) in (%n=%c1, %m=%c1) args(%x=%a) : memref<32xi32> {
    %c0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %p = air.channel.put async @c[%c0] (%x[%i] [%c32] [%d1]) : (memref<32xi32>)
  }
  return
}
