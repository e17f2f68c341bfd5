// RUN: allo-opt %S/../../../../data/air_streams/packets_bundle.mlir --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' --air-to-std=fewest-waits=true | filecheck %s
// RUN: allo-opt %S/../../../../data/air_streams/packets_bundle.mlir --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' --air-to-std=fewest-waits=true --airrt-to-npu | filecheck %s --check-prefix=NPU

// What the host sends in packets says their header, by its place in the bundle; what it gets does not.

// CHECK: airrt.dma_memcpy_nd({{.*}}metadata = @air_a_0, packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>}
// CHECK: airrt.dma_memcpy_nd({{.*}}metadata = @air_a_1, packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
// CHECK: airrt.dma_memcpy_nd({{.*}}metadata = @air_o_0}

// NPU: aie.dma_bd(%arg0{{.*}}pkt_id = 0>
// NPU: aie.dma_bd(%arg0{{.*}}pkt_id = 1>
// NPU: aie.dma_bd(%arg1
