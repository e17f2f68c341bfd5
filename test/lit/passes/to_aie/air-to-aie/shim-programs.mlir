// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='row-offset=3 col-offset=2 device=xcvc1902 generate-shim-dma=true' --split-input-file | filecheck %s --check-prefix=AIE1
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='row-offset=3 col-offset=2 device=xcve2802 generate-shim-dma=true' --split-input-file | filecheck %s

// Shims do the host's transfers themselves, between locks for the host; parts of a buffer are BDs in a row.

// CHECK-LABEL: aie.device(xcve2802) @h
// CHECK: %[[SHIM:.*]] = aie.tile(2, 0)
// CHECK-DAG: %[[R1:.*]] = aie.lock(%[[SHIM]], 3) {init = 1 : i32}
// CHECK-DAG: %[[R0:.*]] = aie.lock(%[[SHIM]], 2) {init = 0 : i32}
// CHECK-DAG: %[[S1:.*]] = aie.lock(%[[SHIM]], 1) {init = 1 : i32}
// CHECK-DAG: %[[S0:.*]] = aie.lock(%[[SHIM]], 0) {init = 0 : i32}
// CHECK: %[[A:.*]] = aie.external_buffer {sym_name = "__air_external_buffer"} : memref<64xi32>
// CHECK: %[[B:.*]] = aie.external_buffer {sym_name = "__air_external_buffer_1"} : memref<32xi32>
// CHECK: aie.flow(%[[SHIM]], DMA : 0
// CHECK: aie.shim_dma(%[[SHIM]]) {
// CHECK:   aie.dma_start(MM2S, 0
// CHECK:   aie.use_lock(%[[S0]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[A]] : memref<64xi32>, 32, 32)
// CHECK:   aie.use_lock(%[[S1]], Release, 1)
// CHECK:   aie.dma_start(S2MM, 0
// CHECK:   aie.use_lock(%[[R1]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[B]] : memref<32xi32>, 0, 32)
// CHECK:   aie.use_lock(%[[R0]], Release, 1)

// AIE1: %[[SHIM:.*]] = aie.tile(2, 0)
// AIE1: %[[R:.*]] = aie.lock(%[[SHIM]], 1) {init = 0 : i32}
// AIE1: %[[S:.*]] = aie.lock(%[[SHIM]], 0) {init = 0 : i32}
// AIE1: aie.shim_dma(%[[SHIM]]) {
// AIE1:   aie.use_lock(%[[S]], Acquire, 1)
// AIE1:   aie.dma_bd(%{{.*}} : memref<64xi32>, 32, 32)
// AIE1:   aie.use_lock(%[[S]], Release, 0)
// AIE1:   aie.use_lock(%[[R]], Acquire, 0)
// AIE1:   aie.use_lock(%[[R]], Release, 1)
func.func @f(%a: memref<64xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) args(%x=%a, %y=%b) : memref<64xi32>, memref<32xi32> {
    %c1_0 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %l = memref.alloc() : memref<32xi32, 2>
    %o = memref.alloc() : memref<32xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %x[%c32] [%c32] [%c1_0]) {id = 1 : i32} : (memref<32xi32, 2>, memref<64xi32>)
    memref.copy %l, %o : memref<32xi32, 2> to memref<32xi32, 2>
    air.dma_memcpy_nd (%y[] [] [], %o[] [] []) {id = 2 : i32} : (memref<32xi32>, memref<32xi32, 2>)
    memref.dealloc %l : memref<32xi32, 2>
    memref.dealloc %o : memref<32xi32, 2>
  }
  return
}

// -----

// Transfers of external memory in a segment are the host's, too; both tiles of a bundle have their part.

// CHECK-LABEL: aie.device(xcve2802) @s
// CHECK: aie.shim_dma(
// CHECK: aie.dma_bd(%{{.*}} : memref<64xi32>, 0, 32)
// CHECK: aie.dma_bd(%{{.*}} : memref<64xi32>, 32, 32)
// CHECK: air.channel.put @in[%{{.*}}, %{{.*}}] {{.*}} {metadataArray = [{base = "air_in_0", index = 0 : i32}, {base = "air_in_1", index = 1 : i32}]}
air.channel @in [1, 2]
func.func @g(%a: memref<64xi32>) {
  air.segment @s args(%x=%a) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    air.channel.put @in[%c0, %c0] (%x[%c0] [%c32] [%c1]) : (memref<64xi32>)
    air.channel.put @in[%c0, %c1] (%x[%c32] [%c32] [%c1]) : (memref<64xi32>)
    air.herd @h tile (%i, %j) in (%m=%c1, %n=%c2) {
      %l = memref.alloc() : memref<32xi32, 2>
      air.channel.get @in[%i, %j] (%l[] [] []) : (memref<32xi32, 2>)
      memref.dealloc %l : memref<32xi32, 2>
    }
  }
  return
}
