// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s
// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' --air-to-std --airrt-to-npu | filecheck %s --check-prefix=NPU

// Three channels of packets into a core of two S2MM channels: the first has one, the others take turns on the second, and come from
// one shim channel, in order. Their BDs say their ids, and so do the host's.

// CHECK-LABEL: aie.device(npu1) @seg
// CHECK-DAG: %[[SHIM:.*]] = aie.tile(0, 0)
// CHECK-DAG: %[[CORE:.*]] = aie.tile(0, 2)
// CHECK: aie.dma_start(S2MM, 0, ^[[A:bb[0-9]+]],
// CHECK: ^[[A]]:
// CHECK: aie.dma_bd({{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>
// CHECK: aie.next_bd ^[[A]]
// CHECK: aie.dma_start(S2MM, 1, ^[[B:bb[0-9]+]],
// CHECK: ^[[B]]:
// CHECK: aie.dma_bd({{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>
// CHECK: aie.next_bd ^[[C:bb[0-9]+]]
// CHECK: ^[[C]]:
// CHECK: aie.dma_bd({{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>
// CHECK: aie.next_bd ^[[B]]
// CHECK: } {air.herd_local_id = array<i64: 0, 0>, air.herd_name = "herd", air.herd_size = array<i64: 1, 1>}
// CHECK: aie.packet_flow(0) {
// CHECK-NEXT: aie.packet_source<%[[SHIM]], DMA : 0>
// CHECK-NEXT: aie.packet_dest<%[[CORE]], DMA : 0>
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%[[SHIM]], DMA : 1>
// CHECK-NEXT: aie.packet_dest<%[[CORE]], DMA : 1>
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%[[SHIM]], DMA : 1>
// CHECK-NEXT: aie.packet_dest<%[[CORE]], DMA : 1>
// CHECK: aie.flow(%[[CORE]], DMA : 0, %[[SHIM]], DMA : 0)
// CHECK-DAG: aie.shim_dma_allocation @air_b(%[[SHIM]], MM2S, 1)
// CHECK-DAG: aie.shim_dma_allocation @air_c(%[[SHIM]], MM2S, 1)

// The host puts what takes turns as the core takes it.
// CHECK: func.func @f
// CHECK: air.channel.put @a[{{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>
// CHECK: air.channel.put @b[{{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>
// CHECK: air.channel.put @c[{{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>

// NPU: dma_configure_task_for @air_b
// NPU-NEXT: aie.dma_bd({{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>
// NPU: dma_configure_task_for @air_c
// NPU-NEXT: aie.dma_bd({{.*}}packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>
air.channel @a [] {channel_type = "npu_dma_packet"}
air.channel @b [] {channel_type = "npu_dma_packet"}
air.channel @c [] {channel_type = "npu_dma_packet"}
air.channel @o []
func.func @f(%A: memref<64xi32>, %B: memref<64xi32>, %C: memref<64xi32>, %O: memref<64xi32>) {
  air.launch () in () args(%x=%A, %y=%B, %z=%C, %w=%O) : memref<64xi32>, memref<64xi32>, memref<64xi32>, memref<64xi32> {
    air.channel.put @a[] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @c[] (%z[] [] []) : (memref<64xi32>)
    air.channel.put @b[] (%y[] [] []) : (memref<64xi32>)
    air.segment @seg {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %0 = arith.constant 0 : index
        %1 = arith.constant 1 : index
        %64 = arith.constant 64 : index
        %la = memref.alloc() : memref<64xi32, 2>
        %lb = memref.alloc() : memref<64xi32, 2>
        %lc = memref.alloc() : memref<64xi32, 2>
        %lo = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[] (%la[] [] []) : (memref<64xi32, 2>)
        air.channel.get @b[] (%lb[] [] []) : (memref<64xi32, 2>)
        air.channel.get @c[] (%lc[] [] []) : (memref<64xi32, 2>)
        scf.for %k = %0 to %64 step %1 {
          %p = memref.load %la[%k] : memref<64xi32, 2>
          %q = memref.load %lb[%k] : memref<64xi32, 2>
          %r = memref.load %lc[%k] : memref<64xi32, 2>
          %s = arith.muli %p, %q : i32
          %t = arith.addi %s, %r : i32
          memref.store %t, %lo[%k] : memref<64xi32, 2>
        }
        air.channel.put @o[] (%lo[] [] []) : (memref<64xi32, 2>)
      }
    }
    air.channel.get @o[] (%w[] [] []) : (memref<64xi32>)
  }
  return
}
