// Locks inside scf.while with values, scf.index_switch and scf.if; parameters and the starting lock come from the runtime sequence.
module {
  aie.device(npu1_2col) {
    %s = aie.tile(1, 0)
    %c = aie.tile(1, 2)
    %rtp = aie.buffer(%c) {sym_name = "rtp"} : memref<4xi32>
    %in = aie.buffer(%c) {sym_name = "in"} : memref<16xi32>
    %out = aie.buffer(%c) {sym_name = "out"} : memref<16xi32>
    %lip = aie.lock(%c, 0) {init = 1 : i32}
    %lic = aie.lock(%c, 1) {init = 0 : i32}
    %lop = aie.lock(%c, 2) {init = 1 : i32}
    %loc = aie.lock(%c, 3) {init = 0 : i32}
    %ready = aie.lock(%c, 4) {init = 0 : i32, sym_name = "ready"}
    aie.flow(%s, DMA : 1, %c, DMA : 1)
    aie.flow(%c, DMA : 1, %s, DMA : 1)
    aie.core(%c) {
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %i16 = arith.constant 16 : index
      %z = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      aie.use_lock(%ready, Acquire, 1)
      %n = memref.load %rtp[%i0] : memref<4xi32>
      %mode = memref.load %rtp[%i1] : memref<4xi32>
      %modei = arith.index_cast %mode : i32 to index
      %left = scf.while (%k = %n) : (i32) -> i32 {
        %more = arith.cmpi sgt, %k, %z : i32
        scf.condition(%more) %k : i32
      } do {
      ^bb0(%k: i32):
        aie.use_lock(%lic, AcquireGreaterEqual, 1)
        aie.use_lock(%lop, AcquireGreaterEqual, 1)
        scf.for %i = %i0 to %i16 step %i1 {
          %v = memref.load %in[%i] : memref<16xi32>
          %r = scf.index_switch %modei -> i32
          case 0 {
            scf.yield %v : i32
          }
          case 2 {
            %sq = arith.muli %v, %v : i32
            scf.yield %sq : i32
          }
          default {
            %neg = arith.subi %z, %v : i32
            scf.yield %neg : i32
          }
          %odd = arith.andi %k, %one : i32
          %isodd = arith.cmpi ne, %odd, %z : i32
          %q = scf.if %isodd -> (i32) {
            %a = arith.addi %r, %k : i32
            scf.yield %a : i32
          } else {
            scf.yield %r : i32
          }
          memref.store %q, %out[%i] : memref<16xi32>
        }
        aie.use_lock(%lip, Release, 1)
        aie.use_lock(%loc, Release, 1)
        %next = arith.subi %k, %one : i32
        scf.yield %next : i32
      }
      aie.end
    }
    aie.mem(%c) {
      %0 = aie.dma_start(S2MM, 1, ^a, ^b)
    ^a:
      aie.use_lock(%lip, AcquireGreaterEqual, 1)
      aie.dma_bd(%in : memref<16xi32>) {len = 16 : i32}
      aie.use_lock(%lic, Release, 1)
      aie.next_bd ^a
    ^b:
      %1 = aie.dma_start(MM2S, 1, ^c, ^d)
    ^c:
      aie.use_lock(%loc, AcquireGreaterEqual, 1)
      aie.dma_bd(%out : memref<16xi32>)
      aie.use_lock(%lop, Release, 1)
      aie.next_bd ^c
    ^d:
      aie.end
    }
    aie.shim_dma_allocation @out_ch(%s, S2MM, 1)
    aie.shim_dma_allocation @in_ch(%s, MM2S, 1)
    aie.runtime_sequence(%x : memref<48xi32>, %y : memref<48xi32>) {
      %c3 = arith.constant 3 : i64
      %c16 = arith.constant 16 : i64
      aiex.npu.rtp_write("rtp", 0, 3)
      aiex.npu.rtp_write(@rtp, 1, 2)
      aiex.set_lock(%ready, 1)
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][%c3, 1, 1, %c16][%c16, 0, 0, 1]) {id = 0 : i64, metadata = @in_ch} : memref<48xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 1 : i64, metadata = @out_ch, issue_token = true} : memref<48xi32>
      aiex.npu.sync {channel = 1 : i32, column = 1 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
    }
  }
}
