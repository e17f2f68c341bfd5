// A consumer of depth 3 that holds two objects, as mlir-aie of August 2026 lowers it: the rotation index and the number of held
// objects are values that the loop carries, buffers are chosen and locks counted at run time.
aie.device(npu2) {
  %shim = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  %b0 = aie.buffer(%t) {sym_name = "b0"} : memref<8xi32>
  %b1 = aie.buffer(%t) {sym_name = "b1"} : memref<8xi32>
  %b2 = aie.buffer(%t) {sym_name = "b2"} : memref<8xi32>
  %o = aie.buffer(%t) {sym_name = "o"} : memref<8xi32>
  %prod = aie.lock(%t, 0) {init = 3 : i32, sym_name = "prod"}
  %cons = aie.lock(%t, 1) {init = 0 : i32, sym_name = "cons"}
  %oprod = aie.lock(%t, 2) {init = 1 : i32, sym_name = "oprod"}
  %ocons = aie.lock(%t, 3) {init = 0 : i32, sym_name = "ocons"}
  aie.flow(%shim, DMA : 0, %t, DMA : 0)
  aie.flow(%t, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.mem(%t) {
    %one = arith.constant 1 : i32
    %0 = aie.dma_start(S2MM, 0, ^i0, ^snd)
  ^i0:
    aie.use_lock(%prod, AcquireGreaterEqual, %one)
    aie.dma_bd(%b0 : memref<8xi32>)
    aie.use_lock(%cons, Release, %one)
    aie.next_bd ^i1
  ^i1:
    aie.use_lock(%prod, AcquireGreaterEqual, %one)
    aie.dma_bd(%b1 : memref<8xi32>)
    aie.use_lock(%cons, Release, %one)
    aie.next_bd ^i2
  ^i2:
    aie.use_lock(%prod, AcquireGreaterEqual, %one)
    aie.dma_bd(%b2 : memref<8xi32>)
    aie.use_lock(%cons, Release, %one)
    aie.next_bd ^i0
  ^snd:
    %1 = aie.dma_start(MM2S, 0, ^o0, ^end)
  ^o0:
    aie.use_lock(%ocons, AcquireGreaterEqual, %one)
    aie.dma_bd(%o : memref<8xi32>)
    aie.use_lock(%oprod, Release, %one)
    aie.next_bd ^o0
  ^end:
    aie.end
  }
  aie.core(%t) {
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%idx = %z, %held = %z) -> (i32, i32) {
      %d = arith.subi %two, %held : i32
      %q = arith.maxsi %d, %z : i32
      aie.use_lock(%cons, AcquireGreaterEqual, %q)
      %h = arith.addi %held, %q : i32
      %k = arith.index_cast %idx : i32 to index
      %buf = scf.index_switch %k -> memref<8xi32>
      case 0 { scf.yield %b0 : memref<8xi32> }
      case 1 { scf.yield %b1 : memref<8xi32> }
      case 2 { scf.yield %b2 : memref<8xi32> }
      default { scf.yield %b0 : memref<8xi32> }
      %n0 = arith.addi %idx, %one : i32
      %w0 = arith.cmpi sge, %n0, %three : i32
      %nx = arith.select %w0, %z, %n0 : i32
      %k1 = arith.index_cast %nx : i32 to index
      %buf1 = scf.index_switch %k1 -> memref<8xi32>
      case 0 { scf.yield %b0 : memref<8xi32> }
      case 1 { scf.yield %b1 : memref<8xi32> }
      case 2 { scf.yield %b2 : memref<8xi32> }
      default { scf.yield %b0 : memref<8xi32> }
      aie.use_lock(%oprod, AcquireGreaterEqual, %one)
      scf.for %j = %c0 to %c8 step %c1 {
        %x = memref.load %buf[%j] : memref<8xi32>
        %y = memref.load %buf1[%j] : memref<8xi32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %o[%j] : memref<8xi32>
      }
      aie.use_lock(%ocons, Release, %one)
      aie.use_lock(%prod, Release, %one)
      %h1 = arith.subi %h, %one : i32
      scf.yield %nx, %h1 : i32, i32
    }
    aie.end
  }
  aie.runtime_sequence(%a: memref<64xi32>, %c: memref<56xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
    aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 56][0, 0, 0, 1]) {id = 1 : i64, metadata = @out, issue_token = true} : memref<56xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
