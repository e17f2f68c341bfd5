// RUN: allo-opt %s --split-input-file --aie-check-resources --verify-diagnostics

// Sixteen BDs of a shim tile may be in flight; the seventeenth has none left.
aie.device(npu1) {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in (%t, MM2S, 0)
  aie.runtime_sequence(%a: memref<2048xi32>) {
    %0 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 0, 64) aie.end }
    %1 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 64, 64) aie.end }
    %2 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 128, 64) aie.end }
    %3 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 192, 64) aie.end }
    %4 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 256, 64) aie.end }
    %5 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 320, 64) aie.end }
    %6 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 384, 64) aie.end }
    %7 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 448, 64) aie.end }
    %8 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 512, 64) aie.end }
    %9 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 576, 64) aie.end }
    %10 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 640, 64) aie.end }
    %11 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 704, 64) aie.end }
    %12 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 768, 64) aie.end }
    %13 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 832, 64) aie.end }
    %14 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 896, 64) aie.end }
    %15 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 960, 64) aie.end }
    // expected-error@+1 {{'aiex.dma_configure_task_for' op shim tile (0,0): 17 BDs in flight exceed the 16 that it has; await or free an earlier task of the tile before this one}}
    %16 = aiex.dma_configure_task_for @in { aie.dma_bd(%a : memref<2048xi32>, 1024, 64) aie.end }
  }
}
