// Vector times scalar, i16, 32 lanes; the scalar comes by a second channel and stays for the whole run.
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %in0 = aie.buffer(%t02) {address = 1024 : i32, sym_name = "in_buff_0"} : memref<512xi16>
    %in1 = aie.buffer(%t02) {address = 8192 : i32, sym_name = "in_buff_1"} : memref<512xi16>
    %factor = aie.buffer(%t02) {sym_name = "factor"} : memref<4xi32>
    %out0 = aie.buffer(%t02) {mem_bank = 2 : i32, sym_name = "out_buff_0"} : memref<512xi16>
    %out1 = aie.buffer(%t02) {mem_bank = 3 : i32, sym_name = "out_buff_1"} : memref<512xi16>
    %in_prod = aie.lock(%t02, 0) {init = 2 : i32, sym_name = "in_prod"}
    %in_cons = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "in_cons"}
    %f_prod = aie.lock(%t02, 2) {init = 1 : i32, sym_name = "f_prod"}
    %f_cons = aie.lock(%t02, 3) {init = 0 : i32, sym_name = "f_cons"}
    %out_prod = aie.lock(%t02, 4) {init = 2 : i32, sym_name = "out_prod"}
    %out_cons = aie.lock(%t02, 5) {init = 0 : i32, sym_name = "out_cons"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t00, DMA : 1, %t02, DMA : 1)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)

    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c512 = arith.constant 512 : index
      %lanes = arith.constant 32 : index
      %zero = arith.constant 0 : i16
      aie.use_lock(%f_cons, AcquireGreaterEqual, 1)
      %f32 = memref.load %factor[%c0] : memref<4xi32>
      %f = arith.trunci %f32 : i32 to i16
      %fv = vector.broadcast %f : i16 to vector<32xi16>
      scf.for %tile = %c0 to %c2 step %c1 {
        aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
        aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c512 step %lanes {
          %v = vector.transfer_read %in0[%i], %zero {in_bounds = [true]} : memref<512xi16>, vector<32xi16>
          %p = arith.muli %v, %fv : vector<32xi16>
          vector.transfer_write %p, %out0[%i] {in_bounds = [true]} : vector<32xi16>, memref<512xi16>
        }
        aie.use_lock(%in_prod, Release, 1)
        aie.use_lock(%out_cons, Release, 1)
        aie.use_lock(%in_cons, AcquireGreaterEqual, 1)
        aie.use_lock(%out_prod, AcquireGreaterEqual, 1)
        scf.for %i = %c0 to %c512 step %lanes {
          %v = vector.transfer_read %in1[%i], %zero {in_bounds = [true]} : memref<512xi16>, vector<32xi16>
          %p = arith.muli %v, %fv : vector<32xi16>
          vector.transfer_write %p, %out1[%i] {in_bounds = [true]} : vector<32xi16>, memref<512xi16>
        }
        aie.use_lock(%in_prod, Release, 1)
        aie.use_lock(%out_cons, Release, 1)
      }
      aie.use_lock(%f_prod, Release, 1)
      aie.end
    }
    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%in_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%in0 : memref<512xi16>, 0, 512) {bd_id = 0 : i32, next_bd_id = 1 : i32}
      aie.use_lock(%in_cons, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%in_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%in1 : memref<512xi16>, 0, 512) {bd_id = 1 : i32, next_bd_id = 0 : i32}
      aie.use_lock(%in_cons, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(S2MM, 1, ^bb4, ^bb5)
    ^bb4:
      aie.use_lock(%f_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%factor : memref<4xi32>, 0, 1) {bd_id = 2 : i32, next_bd_id = 2 : i32}
      aie.use_lock(%f_cons, Release, 1)
      aie.next_bd ^bb4
    ^bb5:
      %2 = aie.dma_start(MM2S, 0, ^bb6, ^bb8)
    ^bb6:
      aie.use_lock(%out_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%out0 : memref<512xi16>, 0, 512) {bd_id = 3 : i32, next_bd_id = 4 : i32}
      aie.use_lock(%out_prod, Release, 1)
      aie.next_bd ^bb7
    ^bb7:
      aie.use_lock(%out_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%out1 : memref<512xi16>, 0, 512) {bd_id = 4 : i32, next_bd_id = 3 : i32}
      aie.use_lock(%out_prod, Release, 1)
      aie.next_bd ^bb6
    ^bb8:
      aie.end
    }
    aie.shim_dma_allocation @in (%t00, MM2S, 0)
    aie.shim_dma_allocation @factor_in (%t00, MM2S, 1)
    aie.shim_dma_allocation @out (%t00, S2MM, 0)
    aie.runtime_sequence(%a : memref<2048xi16>, %f : memref<1xi32>, %c : memref<2048xi16>) {
      %0 = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<2048xi16>, 0, 2048) {bd_id = 0 : i32}
        aie.end
      }
      aiex.dma_start_task(%0)
      %1 = aiex.dma_configure_task_for @factor_in {
        aie.dma_bd(%f : memref<1xi32>, 0, 1)
        aie.end
      }
      aiex.dma_start_task(%1)
      %2 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%c : memref<2048xi16>, 0, 2048) {bd_id = 5 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%2)
      aiex.dma_await_task(%2)
      aiex.dma_free_task(%0)
      aiex.dma_free_task(%1)
    }
  }
}
