// The core adds to C without clearing it first.
// EXPECT kind=uninitialized-read tile=(0,2) unit=core says=buffer c
module {
  aie.device(npu1) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    %a_l2 = aie.buffer(%t01) {sym_name = "a_l2"} : memref<32x32xi32>
    %b_l2 = aie.buffer(%t01) {sym_name = "b_l2"} : memref<32x32xi32>
    %a0 = aie.buffer(%t02) {sym_name = "a0"} : memref<32x8xi32>
    %a1 = aie.buffer(%t02) {sym_name = "a1"} : memref<32x8xi32>
    %b0 = aie.buffer(%t02) {sym_name = "b0"} : memref<8x32xi32>
    %b1 = aie.buffer(%t02) {sym_name = "b1"} : memref<8x32xi32>
    %c = aie.buffer(%t02) {sym_name = "c"} : memref<32x32xi32>
    %al_prod = aie.lock(%t01) {init = 1 : i32, sym_name = "a_l2_prod"}
    %al_cons = aie.lock(%t01) {init = 0 : i32, sym_name = "a_l2_cons"}
    %bl_prod = aie.lock(%t01) {init = 1 : i32, sym_name = "b_l2_prod"}
    %bl_cons = aie.lock(%t01) {init = 0 : i32, sym_name = "b_l2_cons"}
    %a_prod = aie.lock(%t02) {init = 2 : i32, sym_name = "a_prod"}
    %a_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "a_cons"}
    %b_prod = aie.lock(%t02) {init = 2 : i32, sym_name = "b_prod"}
    %b_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "b_cons"}
    %c_prod = aie.lock(%t02) {init = 1 : i32, sym_name = "c_prod"}
    %c_cons = aie.lock(%t02) {init = 0 : i32, sym_name = "c_cons"}
    aie.flow(%t00, DMA : 0, %t01, DMA : 0)
    aie.flow(%t00, DMA : 1, %t01, DMA : 1)
    aie.flow(%t01, DMA : 0, %t02, DMA : 0)
    aie.flow(%t01, DMA : 1, %t02, DMA : 1)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)

    func.func private @mac(%lhs : memref<32x8xi32>, %rhs : memref<8x32xi32>, %sum : memref<32x32xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      scf.for %i = %c0 to %c32 step %c1 {
        scf.for %j = %c0 to %c32 step %c1 {
          %acc0 = memref.load %sum[%i, %j] : memref<32x32xi32> // HERE
          %acc = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %acc0) -> (i32) {
            %x = memref.load %lhs[%i, %k] : memref<32x8xi32>
            %y = memref.load %rhs[%k, %j] : memref<8x32xi32>
            %p = arith.muli %x, %y : i32
            %n = arith.addi %s, %p : i32
            scf.yield %n : i32
          }
          memref.store %acc, %sum[%i, %j] : memref<32x32xi32>
        }
      }
      return
    }

    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i32
      %max = arith.constant 4294967295 : index
      scf.for %t = %c0 to %max step %c1 {
        aie.use_lock(%c_prod, AcquireGreaterEqual, 1)
        scf.for %k = %c0 to %c2 step %c1 {
          aie.use_lock(%a_cons, AcquireGreaterEqual, 1)
          aie.use_lock(%b_cons, AcquireGreaterEqual, 1)
          func.call @mac(%a0, %b0, %c) : (memref<32x8xi32>, memref<8x32xi32>, memref<32x32xi32>) -> ()
          aie.use_lock(%a_prod, Release, 1)
          aie.use_lock(%b_prod, Release, 1)
          aie.use_lock(%a_cons, AcquireGreaterEqual, 1)
          aie.use_lock(%b_cons, AcquireGreaterEqual, 1)
          func.call @mac(%a1, %b1, %c) : (memref<32x8xi32>, memref<8x32xi32>, memref<32x32xi32>) -> ()
          aie.use_lock(%a_prod, Release, 1)
          aie.use_lock(%b_prod, Release, 1)
        }
        aie.use_lock(%c_cons, Release, 1)
      }
      aie.end
    }

    %mt = aie.memtile_dma(%t01) {
      %0 = aie.dma_start(S2MM, 0, ^a_in, ^s1)
    ^a_in:
      aie.use_lock(%al_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%a_l2 : memref<32x32xi32>, 0, 1024)
      aie.use_lock(%al_cons, Release, 1)
      aie.next_bd ^a_in
    ^s1:
      %1 = aie.dma_start(S2MM, 1, ^b_in, ^s2)
    ^b_in:
      aie.use_lock(%bl_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%b_l2 : memref<32x32xi32>, 0, 1024)
      aie.use_lock(%bl_cons, Release, 1)
      aie.next_bd ^b_in
    ^s2:
      // panels of A: 32 rows by 8 columns each
      %2 = aie.dma_start(MM2S, 0, ^a_out, ^s3)
    ^a_out:
      aie.use_lock(%al_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%a_l2 : memref<32x32xi32>, 0, 1024, [<size = 4, stride = 8>, <size = 32, stride = 32>, <size = 8, stride = 1>])
      aie.use_lock(%al_prod, Release, 1)
      aie.next_bd ^a_out
    ^s3:
      %3 = aie.dma_start(MM2S, 1, ^b_out, ^end)
    ^b_out:
      aie.use_lock(%bl_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%b_l2 : memref<32x32xi32>, 0, 1024)
      aie.use_lock(%bl_prod, Release, 1)
      aie.next_bd ^b_out
    ^end:
      aie.end
    }

    %mem = aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%a_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0 : memref<32x8xi32>, 0, 256)
      aie.use_lock(%a_cons, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1 : memref<32x8xi32>, 0, 256)
      aie.use_lock(%a_cons, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%b_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0 : memref<8x32xi32>, 0, 256)
      aie.use_lock(%b_cons, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b_prod, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1 : memref<8x32xi32>, 0, 256)
      aie.use_lock(%b_cons, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %2 = aie.dma_start(MM2S, 0, ^bb7, ^bb8)
    ^bb7:
      aie.use_lock(%c_cons, AcquireGreaterEqual, 1)
      aie.dma_bd(%c : memref<32x32xi32>, 0, 1024)
      aie.use_lock(%c_prod, Release, 1)
      aie.next_bd ^bb7
    ^bb8:
      aie.end
    }

    aie.shim_dma_allocation @inA (%t00, MM2S, 0)
    aie.shim_dma_allocation @inB (%t00, MM2S, 1)
    aie.shim_dma_allocation @outC (%t00, S2MM, 0)
    // B twice is sent by one repeated transfer with stride 0: two products A0 B and A1 B.
    aie.runtime_sequence(%a : memref<64x32xi32>, %b : memref<32x32xi32>, %d : memref<64x32xi32>) {
      aiex.npu.dma_memcpy_nd(%d[0, 0, 0, 0][1, 1, 1, 2048][0, 0, 0, 1]) {id = 0 : i64, metadata = @outC, issue_token = true} : memref<64x32xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 1, 32, 32][1024, 0, 32, 1]) {id = 1 : i64, metadata = @inA} : memref<64x32xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][2, 1, 32, 32][0, 0, 32, 1]) {id = 2 : i64, metadata = @inB} : memref<32x32xi32>
      aiex.npu.dma_wait {symbol = @outC}
    }
  }
}
