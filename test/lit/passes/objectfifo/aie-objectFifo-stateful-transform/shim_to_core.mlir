// RUN: allo-opt --syntax=2026-03 %s --aie-objectFifo-stateful-transform=state=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --aie-objectFifo-stateful-transform="packet-sw-objFifos=true state=2026-03" | filecheck %s --check-prefix=PACKET
// RUN: allo-opt --syntax=2026-03 %s --aie-objectFifo-stateful-transform="dynamic-objFifos=true state=2026-03" | filecheck %s --check-prefix=DYNAMIC

// From the shim to a core: of depth 4 the core, which takes one object at a time, gets two; five turns are two pairs and one.

// CHECK-DAG: %[[B0:.*]] = aie.buffer(%tile_0_2) {sym_name = "in_cons_buff_0"} : memref<16xi32>
// CHECK-DAG: %[[B1:.*]] = aie.buffer(%tile_0_2) {sym_name = "in_cons_buff_1"} : memref<16xi32>
// CHECK-NOT: in_cons_buff_2
// CHECK-DAG: %[[FREE:.*]] = aie.lock(%tile_0_2, 0) {init = 2 : i32, sym_name = "in_cons_prod_lock_0"}
// CHECK-DAG: %[[FULL:.*]] = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "in_cons_cons_lock_0"}
// CHECK: aie.flow(%shim_noc_tile_0_0, DMA : 0, %tile_0_2, DMA : 0)
// CHECK: aie.core(%tile_0_2) {
// CHECK:   %[[END:.*]] = arith.constant 4 : index
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK:     aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK:     func.call @work(%[[B0]])
// CHECK:     aie.use_lock(%[[FREE]], Release, 1)
// CHECK:     func.call @work(%[[B1]])
// CHECK:   }
// CHECK:   func.call @work(%[[B0]])
// CHECK-NOT: func.call
// CHECK: aie.mem(%tile_0_2) {
// CHECK:   aie.dma_start(S2MM, 0, ^[[FIRST:.*]], ^[[END:.*]])
// CHECK: ^[[FIRST]]:
// CHECK:   aie.use_lock(%[[FREE]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[B0]] : memref<16xi32>, 0, 16)
// CHECK:   aie.use_lock(%[[FULL]], Release, 1)
// CHECK:   aie.dma_bd(%[[B1]] : memref<16xi32>, 0, 16)
// CHECK:   aie.next_bd ^[[FIRST]]
// CHECK: metadata = @in_shim_alloc
// CHECK: aie.shim_dma_allocation @in_shim_alloc(%shim_noc_tile_0_0, MM2S, 0)
// CHECK-NOT: objectfifo

// PACKET: aie.packet_flow(0) {
// PACKET-NEXT: aie.packet_source<%shim_noc_tile_0_0, DMA : 0>
// PACKET-NEXT: aie.packet_dest<%tile_0_2, DMA : 0>
// PACKET: aiex.npu.dma_memcpy_nd({{.*}}, packet = <pkt_type = 0, pkt_id = 0>)
// PACKET: aie.shim_dma_allocation @in_shim_alloc(%shim_noc_tile_0_0, MM2S, 0, <pkt_type = 0, pkt_id = 0>)

// DYNAMIC: %[[COUNT:.*]] = aie.buffer(%tile_0_2) {sym_name = "objectfifo_counters_0_2"} : memref<1xi32>
// DYNAMIC: aie.core
// DYNAMIC: memref.store %{{.*}}, %[[COUNT]]
// DYNAMIC: scf.for
// DYNAMIC:   %[[AT:.*]] = arith.index_cast
// DYNAMIC:   scf.index_switch %[[AT]] -> memref<16xi32>
// DYNAMIC:   arith.select
// DYNAMIC:   memref.store %{{.*}}, %[[COUNT]]
aie.device(npu1) {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  aie.objectfifo @in(%shim, {%tile}, 4 : i32) : !aie.objectfifo<memref<16xi32>>
  func.func private @work(memref<16xi32>)
  aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    scf.for %i = %c0 to %c5 step %c1 {
      %s = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      func.call @work(%e) : (memref<16xi32>) -> ()
      aie.objectfifo.release @in(Consume, 1)
    }
    aie.end
  }
  aie.runtime_sequence(%a: memref<80xi32>) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 80][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<80xi32>
  }
}
