// RUN: allo-opt %s --air-annotate-packet-ids="assign=true emit-headers=false" | filecheck %s
// RUN: not allo-opt %S/Inputs/headers.mlir --air-annotate-packet-ids=assign=true 2>&1 | filecheck %s --check-prefix=OWN
// RUN: allo-opt %S/Inputs/headers.mlir --air-annotate-packet-ids=report=true

// CHECK: air.channel @c [1, 1]
// OWN: 'air.channel' op deals packets out by headers that its source writes, which is not implemented
air.channel @c [1, 1] {channel_type = "npu_dma_packet"}
