// RUN: allo-opt --syntax=2026-03 %s --aie-materialize-runtime-sequences | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --aie-assign-lock-ids --aie-materialize-runtime-sequences --aie-materialize-bd-chains --aie-substitute-shim-dma-allocations --aie-assign-runtime-sequence-bd-ids --aie-dma-tasks-to-npu --aie-dma-to-npu --aie-lower-set-lock | filecheck %s --check-prefix=NPU

// The other device is loaded, its sequence follows on the buffers given; what it names comes along.

// CHECK: aie.runtime_sequence @main(%[[A:.*]]: memref<64xi32>, %[[B:.*]]: memref<64xi32>) {
// CHECK-NEXT: aiex.npu.load_pdi {device_ref = @dev}
// CHECK-NEXT: %{{.*}} = aiex.dma_start_bd_chain @c(%[[B]])
// CHECK-NEXT: %{{.*}} = aiex.dma_configure_task_for @out {
// CHECK-NEXT:   aie.dma_bd(%[[A]] : memref<64xi32>, 0, 64)
// CHECK: aiex.set_lock(%lock_0_2, 2)
// CHECK: aiex.npu.dma_memcpy_nd(%[[A]]
// CHECK-DAG: aie.shim_dma_allocation @out(
// CHECK-DAG: aie.bd_chain @c(
// CHECK-NOT: aiex.configure

// NPU: aie.runtime_sequence @main
// NPU: aiex.npu.load_pdi
// NPU: aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 1 : i32, arg_plus = 0 : i32}
// NPU: aiex.npu.address_patch {addr = 118820 : ui32, arg_idx = 1 : i32, arg_plus = 128 : i32}
// NPU: aiex.npu.address_patch {addr = 118852 : ui32, arg_idx = 0 : i32, arg_plus = 0 : i32}
// NPU: aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
// NPU: aiex.npu.write32 {address = 2224128 : ui32, value = 2 : ui32}
module {
  aie.device(npu1) @dev {
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %l = aie.lock(%t)
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.bd_chain @c(%x: memref<64xi32>) {
      aie.dma_bd(%x : memref<64xi32>, 0, 32)
      aie.next_bd ^bb1
    ^bb1:
      aie.dma_bd(%x : memref<64xi32>, 32, 32)
      aie.end
    }
    aie.runtime_sequence @inner(%a : memref<64xi32>, %b : memref<64xi32>) {
      %0 = aiex.dma_start_bd_chain @c(%a) : (memref<64xi32>) on (%s, MM2S, 0)
      %1 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%b : memref<64xi32>, 0, 64)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%1)
      aiex.dma_await_task(%1)
      aiex.dma_free_task(%0)
      aiex.set_lock(%l, 2)
    }
  }
  aie.device(npu1) @main {
    %s = aie.tile(0, 0)
    aie.shim_dma_allocation @in2(%s, MM2S, 1)
    aie.runtime_sequence @main(%a : memref<64xi32>, %b : memref<64xi32>) {
      aiex.configure @dev {
        aiex.run @inner(%b, %a) : (memref<64xi32>, memref<64xi32>)
      }
      aiex.npu.dma_memcpy_nd(%a[0,0,0,0][1,1,1,64][0,0,0,1]) {id = 3 : i64, metadata = @in2, issue_token = true} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @in2}
    }
  }
}
