// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-to-aie='use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefix=ONCE

// A herd without L2: two cores, each with a buffer in and a buffer out.

// CHECK-LABEL: aie.device(npu1) @seg
// CHECK-DAG: %[[SHIM:.*]] = aie.tile(0, 0)
// CHECK-DAG: %[[T2:tile_0_2]] = aie.tile(0, 2)
// CHECK-DAG: %[[T3:tile_0_3]] = aie.tile(0, 3)
// CHECK: %[[FREE:.*]] = aie.lock(%[[T2]], 3) {init = 1 : i32}
// CHECK: %[[FULL:.*]] = aie.lock(%[[T2]], 2) {init = 0 : i32}
// CHECK: %[[ROOM:.*]] = aie.lock(%[[T2]], 1) {init = 1 : i32}
// CHECK: %[[SENT:.*]] = aie.lock(%[[T2]], 0) {init = 0 : i32}
// CHECK: %[[IN:.*]] = aie.buffer(%[[T2]]) {sym_name = "buf1"} : memref<64xi32, 2>
// CHECK: %[[OUT:.*]] = aie.buffer(%[[T2]]) {sym_name = "buf0"} : memref<64xi32, 2>
// CHECK: aie.core(%[[T3]]) {
// CHECK:   arith.constant 1 : i32
// CHECK: aie.mem(%[[T2]]) {
// CHECK:   aie.dma_start(MM2S, 0, ^[[PUT:bb[0-9]+]], ^[[NEXT:bb[0-9]+]])
// CHECK: ^[[PUT]]:
// CHECK:   aie.use_lock(%[[SENT]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[OUT]] : memref<64xi32, 2>, 0, 64, [<size = 8, stride = 1>, <size = 8, stride = 8>]) {task_id = 0 : i32}
// CHECK:   aie.use_lock(%[[ROOM]], Release, 1)
// CHECK:   aie.next_bd ^[[PUT]]
// CHECK: ^[[END:bb[0-9]+]]:
// CHECK:   aie.end
// CHECK: ^[[NEXT]]:
// CHECK:   aie.dma_start(S2MM, 0, ^[[GET:bb[0-9]+]], ^[[END]])
// CHECK: ^[[GET]]:
// CHECK:   aie.use_lock(%[[FREE]], AcquireGreaterEqual, 1)
// CHECK:   aie.dma_bd(%[[IN]] : memref<64xi32, 2>, 0, 64)
// CHECK:   aie.use_lock(%[[FULL]], Release, 1)
// CHECK:   aie.next_bd ^[[GET]]
// CHECK: aie.core(%[[T2]]) {
// CHECK:   %[[SEVEN:.*]] = arith.constant 0 : i32
// CHECK:   cf.br ^[[AGAIN:bb[0-9]+]]
// CHECK: ^[[AGAIN]]:
// CHECK:   aie.use_lock(%[[FULL]], AcquireGreaterEqual, 1)
// CHECK:   aie.use_lock(%[[ROOM]], AcquireGreaterEqual, 1)
// CHECK:   scf.for
// CHECK:     memref.load %[[IN]]
// CHECK:     arith.addi %{{.*}}, %[[SEVEN]]
// CHECK:     memref.store %{{.*}}, %[[OUT]]
// CHECK:   } {loop_annotation = #{{.*}}}
// CHECK-DAG: aie.use_lock(%[[FREE]], Release, 1)
// CHECK-DAG: aie.use_lock(%[[SENT]], Release, 1)
// CHECK:   cf.br ^[[AGAIN]]
// CHECK-DAG: aie.flow(%[[SHIM]], DMA : 0, %[[T2]], DMA : 0)
// CHECK-DAG: aie.flow(%[[SHIM]], DMA : 1, %[[T3]], DMA : 0)
// CHECK-DAG: aie.flow(%[[T2]], DMA : 0, %[[SHIM]], DMA : 0)
// CHECK-DAG: aie.flow(%[[T3]], DMA : 0, %[[SHIM]], DMA : 1)
// CHECK-DAG: aie.shim_dma_allocation @air_in_0(%[[SHIM]], MM2S, 0)
// CHECK-DAG: aie.shim_dma_allocation @air_in_1(%[[SHIM]], MM2S, 1)
// CHECK-DAG: aie.shim_dma_allocation @air_out_0(%[[SHIM]], S2MM, 0)
// CHECK-DAG: aie.shim_dma_allocation @air_out_1(%[[SHIM]], S2MM, 1)
// CHECK: airrt.segment_metadata {{.*}}sym_name = "seg"
// CHECK: airrt.herd_metadata {{.*}}loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 2 : i64, sym_name = "herd"
// CHECK: func.func @f
// CHECK: air.channel.put{{.*}}@in[{{.*}}metadataArray = [{base = "air_in_0", index = 0 : i32}, {base = "air_in_1", index = 1 : i32}]
// CHECK: air.channel.get{{.*}}@out[{{.*}}metadataArray = [{base = "air_out_0", index = 0 : i32}, {base = "air_out_1", index = 1 : i32}]
// CHECK: air.herd @herd

// ONCE: aie.core(%tile_0_2) {
// ONCE-NOT: cf.br
// ONCE: aie.end
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
