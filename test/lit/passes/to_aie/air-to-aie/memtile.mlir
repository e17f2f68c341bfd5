// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='device=npu2 row-offset=2 col-offset=0 emit-while-loop=true' | filecheck %s

// L2: ping and pong filled by one stream, each sent whole to both cores of a broadcast; results gathered in one buffer.

// CHECK-LABEL: aie.device(npu2) @seg
// CHECK-DAG: %[[M0:.*]] = aie.tile(1, 1)
// CHECK-DAG: %[[M1:.*]] = aie.tile(2, 1)
// CHECK-DAG: %[[C0:.*]] = aie.tile(1, 2)
// CHECK-DAG: %[[C1:.*]] = aie.tile(1, 3)
// CHECK-DAG: %[[FREE:.*]] = aie.lock(%[[M0]], 1) {init = 2 : i32}
// CHECK-DAG: %[[FULL:.*]] = aie.lock(%[[M0]], 0) {init = 0 : i32}
// CHECK-DAG: %[[ROOM:.*]] = aie.lock(%[[M1]], 1) {init = 2 : i32}
// CHECK-DAG: %[[DONE:.*]] = aie.lock(%[[M1]], 0) {init = 0 : i32}
// CHECK: aie.lock(%[[C0]], 3) {init = 2 : i32}
// CHECK: %[[PING:.*]] = aie.buffer(%[[M0]]) {sym_name = "{{buf[0-9]+}}"} : memref<32xbf16, 1>
// CHECK: %[[PONG:.*]] = aie.buffer(%[[M0]]) {sym_name = "{{buf[0-9]+}}"} : memref<32xbf16, 1>
// CHECK: %[[SUM:.*]] = aie.buffer(%[[M1]]) {sym_name = "{{buf[0-9]+}}"} : memref<128xbf16, 1>
// CHECK: aie.buffer(%[[C1]]) {{.*}} : memref<{{.*}}, 2>
// CHECK: aie.flow(%[[M0]], DMA : 0, %[[C0]], DMA : 0)
// CHECK: aie.flow(%[[M0]], DMA : 0, %[[C1]], DMA : 0)
// CHECK: aie.memtile_dma(%[[M1]]) {
// CHECK:   aie.dma_start(MM2S, 0
// CHECK:   aie.use_lock(%[[DONE]], AcquireGreaterEqual, 2)
// CHECK:   aie.dma_bd(%[[SUM]] : memref<128xbf16, 1>, 0, 128)
// CHECK:   aie.use_lock(%[[ROOM]], Release, 2)
// CHECK:   aie.dma_start(S2MM, 0
// CHECK:   aie.use_lock(%[[ROOM]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[SUM]] : memref<128xbf16, 1>, 0, 64)
// CHECK:   aie.use_lock(%[[DONE]], Release, 1)
// CHECK:   aie.dma_start(S2MM, 1
// CHECK:   aie.use_lock(%[[ROOM]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[SUM]] : memref<128xbf16, 1>, 64, 64)
// CHECK:   aie.use_lock(%[[DONE]], Release, 1)
// CHECK: aie.memtile_dma(%[[M0]]) {
// CHECK:   aie.dma_start(MM2S, 0
// CHECK:   aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[PING]] : memref<32xbf16, 1>, 0, 32, [<size = 2, stride = 2>, <size = 8, stride = 4>, <size = 2, stride = 1>])
// CHECK:   aie.use_lock(%[[FREE]], Release, 1)
// CHECK:   aie.dma_start(S2MM, 0
// CHECK:   aie.use_lock(%[[FREE]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[PING]] : memref<32xbf16, 1>, 0, 32)
// CHECK:   aie.use_lock(%[[FULL]], Release, 1)
// CHECK:   aie.use_lock(%[[FREE]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[PONG]] : memref<32xbf16, 1>, 0, 32)
// CHECK:   aie.use_lock(%[[FULL]], Release, 1)
air.channel @in [1, 1]
air.channel @down [1, 1] {broadcast_shape = [1, 2]}
air.channel @up [1, 2]
air.channel @out []
func.func @f(%a: memref<64xbf16>, %b: memref<128xbf16>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<64xbf16>, memref<128xbf16> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xbf16>)
    air.channel.get @out[] (%y[] [] []) : (memref<128xbf16>)
    air.segment @seg attributes {x_loc = 1 : i64, x_size = 2 : i64} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %ping = memref.alloc() : memref<32xbf16, 1>
      %pong = memref.alloc() : memref<32xbf16, 1>
      %sum = memref.alloc() : memref<128xbf16, 1>
      scf.for %i = %c0 to %c8 step %c1 {
        air.channel.get @in[] (%ping[] [] []) : (memref<32xbf16, 1>)
        air.channel.put @down[] (%ping[%c0, %c0, %c0] [%c2, %c8, %c2] [%c2, %c4, %c1]) : (memref<32xbf16, 1>)
        air.channel.get @in[] (%pong[] [] []) : (memref<32xbf16, 1>)
        air.channel.put @down[] (%pong[%c0, %c0, %c0] [%c2, %c8, %c2] [%c2, %c4, %c1]) : (memref<32xbf16, 1>)
      }
      scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
        %o = arith.muli %i, %c64 : index
        air.channel.get @up[%c0, %i] (%sum[%o] [%c64] [%c1]) : (memref<128xbf16, 1>)
      }
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k2 = arith.constant 2 : index
        %k32 = arith.constant 32 : index
        %s = memref.alloc() : memref<64xbf16, 2>
        %p = memref.alloc() : memref<32xbf16, 2>
        %q = memref.alloc() : memref<32xbf16, 2>
        scf.for %t = %k0 to %k32 step %k2 {
          air.channel.get @down[%i, %j] (%p[] [] []) : (memref<32xbf16, 2>)
          func.call @add(%p, %s) : (memref<32xbf16, 2>, memref<64xbf16, 2>) -> ()
          air.channel.get @down[%i, %j] (%q[] [] []) : (memref<32xbf16, 2>)
          func.call @add(%q, %s) : (memref<32xbf16, 2>, memref<64xbf16, 2>) -> ()
        }
        air.channel.put @up[%i, %j] (%s[] [] []) : (memref<64xbf16, 2>)
      }
      air.channel.put @out[] (%sum[] [] []) : (memref<128xbf16, 1>)
    }
  }
  return
}
func.func private @add(memref<32xbf16, 2>, memref<64xbf16, 2>) attributes {link_with = "add.o", llvm.emit_c_interface}
