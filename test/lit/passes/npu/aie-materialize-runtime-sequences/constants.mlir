// RUN: allo-opt --aie-materialize-runtime-sequences %s | filecheck %s

// A loop of the sequence that is run comes along with the constants of its device, and with what it names there.

module {
  aie.device(npu2) @kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %shim = aie.tile(1, 0)
    aie.shim_dma_allocation @in(%shim, MM2S, 1)
    aie.runtime_sequence @loop(%b: memref<64xi32>) {
      scf.for %i = %c0 to %c2 step %c1 {
        %t = aiex.dma_configure_task_for @in {
          aie.dma_bd(%b : memref<64xi32> offset = 0 len = 64)
          aie.end
        }
        aiex.dma_start_task(%t)
      }
    }
  }
  aie.device(npu2) {
    aie.runtime_sequence @main(%b: memref<64xi32>) {
      aiex.configure @kernel {
        aiex.run @loop(%b) : (memref<64xi32>)
      }
    }
  }
}

// CHECK: aie.device(npu2) {
// CHECK: aie.runtime_sequence @main(%arg0: memref<64xi32>) {
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @kernel}
// CHECK-DAG: %[[FROM:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[TO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[BY:.*]] = arith.constant 1 : index
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %[[BY]] {
// CHECK-NEXT: aiex.dma_configure_task_for @in {
// CHECK: aie.shim_dma_allocation @in(%{{.*}}, MM2S, 1)
