// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true row-offset=2 col-offset=7' | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true row-offset=2 col-offset=7 device=xcvc1902' | filecheck %s
// RUN: not allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true row-offset=2 col-offset=7' --air-to-std --airrt-to-npu 2>&1 | filecheck %s --check-prefix=NPU

// Locks of two states: a stream into the core finds its lock at 0 and leaves it at 1, one out of it the reverse.

// CHECK-LABEL: aie.device(xcvc1902) @s
// CHECK: %[[OUT:.*]] = aie.lock(%tile_7_2, 1) {init = 0 : i32}
// CHECK: %[[IN:.*]] = aie.lock(%tile_7_2, 0) {init = 0 : i32}
// CHECK: aie.mem(%tile_7_2) {
// CHECK:   aie.dma_start(MM2S, 0
// CHECK:   aie.use_lock(%[[M:.*]], Acquire, 1)
// CHECK:   aie.dma_bd
// CHECK:   aie.use_lock(%[[M]], Release, 0)
// CHECK:   aie.dma_start(S2MM, 0
// CHECK:   aie.use_lock(%[[S:.*]], Acquire, 0)
// CHECK:   aie.dma_bd
// CHECK:   aie.use_lock(%[[S]], Release, 1)
// CHECK: aie.core(%tile_7_2) {
// CHECK:   aie.use_lock(%[[S]], Acquire, 1)
// CHECK:   aie.use_lock(%[[M]], Acquire, 0)
// CHECK:   scf.for
// CHECK:   aie.use_lock(%[[M]], Release, 1)
// CHECK:   aie.use_lock(%[[S]], Release, 0)
// CHECK:   aie.end
// CHECK: aie.flow(%shim_noc_tile_7_0, DMA : 0, %tile_7_2, DMA : 0)
// NPU: is made for xcvc1902, which no instruction stream drives
air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<64xi32>, memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) {id = 1 : i32} : (memref<64xi32>)
    air.channel.get @out[] (%y[] [] []) {id = 2 : i32} : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) attributes {x_loc = 7 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %l = memref.alloc() : memref<64xi32, 2>
        %o = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%i, %j] (%l[] [] []) {id = 3 : i32} : (memref<64xi32, 2>)
        scf.for %k = %c0 to %c64 step %d1 {
          %v = memref.load %l[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %v : i32
          memref.store %w, %o[%k] : memref<64xi32, 2>
        }
        air.channel.put @out[%i, %j] (%o[] [] []) {id = 4 : i32} : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
        memref.dealloc %o : memref<64xi32, 2>
      }
    }
  }
  return
}
