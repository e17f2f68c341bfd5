// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='row-offset=2 col-offset=0 device=npu1' | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='row-offset=2 col-offset=0 device=npu1 use-lock-race-condition-fix=true' | filecheck %s --check-prefix=ORDER

// Four circuits from the host to a core with two channels: they share these by turns, each over one shim channel, and the host puts
// what shares one in the core's order.

// CHECK-LABEL: aie.device(npu1) @seg
// CHECK:         %[[M:.*]] = aie.buffer(%{{.*}}) {sym_name = "buf4"}
// CHECK:         %[[N:.*]] = aie.buffer(%{{.*}}) {sym_name = "buf3"}
// CHECK:         %[[O:.*]] = aie.buffer(%{{.*}}) {sym_name = "buf2"}
// CHECK:         %[[P:.*]] = aie.buffer(%{{.*}}) {sym_name = "buf1"}
// CHECK:         aie.dma_start(S2MM, 0, ^[[A:.*]], ^
// CHECK:         aie.dma_bd(%[[M]] :
// CHECK:         aie.dma_bd(%[[O]] :
// CHECK:         aie.next_bd ^[[A]]
// CHECK:         aie.dma_start(S2MM, 1, ^[[B:.*]], ^
// CHECK:         aie.dma_bd(%[[N]] :
// CHECK:         aie.dma_bd(%[[P]] :
// CHECK:         aie.next_bd ^[[B]]
// CHECK:         aie.flow(%shim_noc_tile_0_0, DMA : 0, %tile_0_2, DMA : 1)
// CHECK-NEXT:    aie.flow(%shim_noc_tile_0_0, DMA : 1, %tile_0_2, DMA : 0)
// CHECK-NOT:     aie.flow(%shim
// CHECK:         aie.shim_dma_allocation @air_late(%shim_noc_tile_0_0, MM2S, 0)
// CHECK-NEXT:    aie.shim_dma_allocation @air_in_0(%shim_noc_tile_0_0, MM2S, 1)
// CHECK-NEXT:    aie.shim_dma_allocation @air_in_1(%shim_noc_tile_0_0, MM2S, 0)
// CHECK-NEXT:    aie.shim_dma_allocation @air_in_2(%shim_noc_tile_0_0, MM2S, 1)

// ORDER-LABEL: func.func @f
// ORDER:         air.channel.put @in[%c1]
// ORDER-NEXT:    air.channel.put @late
// ORDER-NEXT:    air.channel.put @in[%c0]
// ORDER-NEXT:    air.channel.put @in[%c2]
air.channel @in [3]
air.channel @late []
air.channel @out []
func.func @f(%a: memref<16xi32>, %b: memref<16xi32>, %c: memref<16xi32>, %d: memref<16xi32>, %e: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.put @late[] (%d[] [] []) : (memref<16xi32>)
  air.channel.put @in[%c2] (%c[] [] []) : (memref<16xi32>)
  air.channel.put @in[%c1] (%b[] [] []) : (memref<16xi32>)
  air.channel.put @in[%c0] (%a[] [] []) : (memref<16xi32>)
  air.channel.get @out[] (%e[] [] []) : (memref<16xi32>)
  air.segment @seg {
    %one = arith.constant 1 : index
    air.herd @p tile (%x, %y) in (%sx=%one, %sy=%one) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %2 = arith.constant 2 : index
      %m = memref.alloc() : memref<16xi32, 2>
      %n = memref.alloc() : memref<16xi32, 2>
      %o = memref.alloc() : memref<16xi32, 2>
      %p = memref.alloc() : memref<16xi32, 2>
      %r = memref.alloc() : memref<16xi32, 2>
      air.channel.get @in[%0] (%m[] [] []) : (memref<16xi32, 2>)
      air.channel.get @in[%1] (%n[] [] []) : (memref<16xi32, 2>)
      air.channel.get @in[%2] (%o[] [] []) : (memref<16xi32, 2>)
      air.channel.get @late[] (%p[] [] []) : (memref<16xi32, 2>)
      linalg.sub ins(%m, %n : memref<16xi32, 2>, memref<16xi32, 2>) outs(%r : memref<16xi32, 2>)
      linalg.mul ins(%r, %o : memref<16xi32, 2>, memref<16xi32, 2>) outs(%r : memref<16xi32, 2>)
      linalg.sub ins(%r, %p : memref<16xi32, 2>, memref<16xi32, 2>) outs(%r : memref<16xi32, 2>)
      air.channel.put @out[] (%r[] [] []) : (memref<16xi32, 2>)
      memref.dealloc %m : memref<16xi32, 2>
      memref.dealloc %n : memref<16xi32, 2>
      memref.dealloc %o : memref<16xi32, 2>
      memref.dealloc %p : memref<16xi32, 2>
      memref.dealloc %r : memref<16xi32, 2>
    }
  }
  return
}
