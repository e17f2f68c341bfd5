// Core (0, 2) no longer takes from the cascade: what core (0, 3) sends stays there.
// EXPECT kind=unconsumed-stream-data says=cascade
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %t03 = aie.tile(0, 3)
    %x = aie.buffer(%t03) {sym_name = "x"} : memref<16xi32>
    %y = aie.buffer(%t02) {sym_name = "y"} : memref<16xi32>
    %z = aie.buffer(%t02) {sym_name = "z"} : memref<16xi32>
    %x_prod = aie.lock(%t03) {init = 1 : i32, sym_name = "x_prod"}
    %x_cons = aie.lock(%t03) {init = 0 : i32, sym_name = "x_cons"}
    %y_prod = aie.lock(%t02) {init = 1 : i32, sym_name = "y_prod"}
    %y_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "y_cons"}
    %z_prod = aie.lock(%t02) {init = 1 : i32, sym_name = "z_prod"}
    %z_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "z_cons"}
    aie.flow(%t00, DMA : 0, %t03, DMA : 0)
    aie.flow(%t00, DMA : 1, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    aie.cascade_flow(%t03, %t02)

    %core03 = aie.core(%t03) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      scf.for %t = %c0 to %c4 step %c1 {
        aie.use_lock(%x_cons, AcquireGreaterEqual, 1)
        %v = vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
        %q = arith.muli %v, %v : vector<16xi32>
        aie.put_cascade(%q : vector<16xi32>) // HERE
        aie.use_lock(%x_prod, Release, 1)
      }
      aie.end
    }
    %core02 = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      scf.for %t = %c0 to %c4 step %c1 {
        aie.use_lock(%y_cons, AcquireGreaterEqual, 1)
        aie.use_lock(%z_prod, AcquireGreaterEqual, 1)
        %q = arith.constant dense<1> : vector<16xi32>
        %v = vector.transfer_read %y[%c0], %zero {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
        %s = arith.addi %q, %v : vector<16xi32>
        vector.transfer_write %s, %z[%c0] {in_bounds = [true]} : vector<16xi32>, memref<16xi32>
        aie.use_lock(%y_prod, Release, 1)
        aie.use_lock(%z_cons, Release, 1)
      }
      aie.end
    }
    %mem03 = aie.mem(%t03) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%x_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%x : memref<16xi32>, 0, 16)
      aie.use_lock(%x_cons, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      aie.end
    }
    %mem02 = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2)
    ^bb1:
      aie.use_lock(%y_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%y : memref<16xi32>, 0, 16)
      aie.use_lock(%y_cons, Release, 1)
      aie.next_bd ^bb1
    ^bb2:
      %1 = aie.dma_start(MM2S, 0, ^bb3, ^bb4)
    ^bb3:
      aie.use_lock(%z_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%z : memref<16xi32>, 0, 16)
      aie.use_lock(%z_prod, Release, 1)
      aie.next_bd ^bb3
    ^bb4:
      aie.end
    }
    aie.runtime_sequence(%a : memref<64xi32>, %b : memref<64xi32>, %c : memref<64xi32>) {
      %0 = aiex.dma_configure_task(%t00, MM2S, 0) {
        aie.dma_bd(%a : memref<64xi32>, 0, 64) {bd_id = 7 : i32}
        aie.end
      }
      %1 = aiex.dma_configure_task(%t00, MM2S, 1) {
        aie.dma_bd(%b : memref<64xi32>, 0, 64) {bd_id = 8 : i32}
        aie.end
      }
      %2 = aiex.dma_configure_task(%t00, S2MM, 0) {
        aie.dma_bd(%c : memref<64xi32>, 0, 64) {bd_id = 9 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%0)
      aiex.dma_start_task(%1)
      aiex.dma_start_task(%2)
      aiex.dma_await_task(%2)
    }
  }
}
