// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true emit-herd-lock=true insert-trace-packet-flow=true' | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true emit-herd-lock=true trace-size=8192' | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' | filecheck %s --check-prefix=PLAIN
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 emit-while-loop=true use-lock-race-condition-fix=true' | filecheck %s --check-prefix=PLAIN
// RUN: not allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1_1col row-offset=2 col-offset=0 insert-trace-packet-flow=true' 2>&1 | filecheck %s --check-prefix=FULL

// Before the loop each core waits for the host; its lock comes after those of its buffers.
// CHECK: %[[GO:.*]] = aie.lock(%tile_0_2, 4) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
// CHECK: %[[GO2:.*]] = aie.lock(%tile_0_3, 4) {init = 0 : i32, sym_name = "__air_herd_lock_0_3"}
// CHECK: aie.core(%tile_0_3) {
// CHECK-NEXT: aie.use_lock(%[[GO2]], AcquireGreaterEqual, 1)
// CHECK: cf.br
// CHECK: aie.core(%tile_0_2) {
// CHECK-NEXT: aie.use_lock(%[[GO]], AcquireGreaterEqual, 1)

// Both S2MM channels of column 0 bring results: the traces of both cores go to the next column, told apart by their ids.
// CHECK: aie.packet_flow(1) {
// CHECK-NEXT: aie.packet_source<%tile_0_2, Trace : 0>
// CHECK-NEXT: aie.packet_dest<%shim_noc_tile_1_0, DMA : 1>
// CHECK-NEXT: } {keep_pkt_header = true}
// CHECK: aie.packet_flow(2) {
// CHECK-NEXT: aie.packet_source<%tile_0_3, Trace : 0>
// CHECK-NEXT: aie.packet_dest<%shim_noc_tile_1_0, DMA : 1>

// FULL: error: 'air.segment' op leaves no shim S2MM channel for traces: all bring results to external memory

// PLAIN: aie.device
// PLAIN-NOT: herd_lock
// PLAIN-NOT: aie.packet_flow
// PLAIN: func.func
air.channel @in [1, 2]
air.channel @out [1, 2]
func.func @f(%a: memref<128xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<128xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      %o = arith.muli %i, %c64 : index
      air.channel.put @in[%c0, %i] (%x[%o] [%c64] [%c1]) : (memref<128xi32>)
      air.channel.get @out[%c0, %i] (%y[%o] [%c64] [%c1]) : (memref<128xi32>)
    }
    air.segment @seg {
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      air.herd @herd tile (%i, %j) in (%m = %s1, %n = %s2) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k8 = arith.constant 8 : index
        %k64 = arith.constant 64 : index
        %in = memref.alloc() : memref<64xi32, 2>
        %out = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%i, %j] (%in[] [] []) : (memref<64xi32, 2>)
        %id = arith.index_cast %j : index to i32
        scf.for %k = %k0 to %k64 step %k1 {
          %v = memref.load %in[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %id : i32
          memref.store %w, %out[%k] : memref<64xi32, 2>
        }
        air.channel.put @out[%i, %j] (%out[%k0, %k0, %k0] [%k8, %k8, %k1] [%k1, %k8, %k1]) : (memref<64xi32, 2>)
        memref.dealloc %in : memref<64xi32, 2>
        memref.dealloc %out : memref<64xi32, 2>
      }
    }
  }
  return
}
