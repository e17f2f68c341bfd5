// RUN: allo-opt %s --air-to-aie='device=npu1_1col row-offset=2 col-offset=0' | filecheck %s
// RUN: allo-opt %s --pass-pipeline='builtin.module(air-to-aie{device=npu1_1col row-offset=2 col-offset=0},air-merge-unrolled-devices,aie.device(aie-place-tiles{merge-logical-tiles=false}),air-to-std,airrt-to-npu)' | filecheck %s --check-prefix=NPU
// RUN: allo-opt %s --air-to-aie='device=npu2 row-offset=2 col-offset=0' | filecheck %s --check-prefix=SHARE

// Each instance of an unrolled segment has a device, with the channels of its number. Shim allocations are called after
// channel, instance and number.
// CHECK: aie.device(npu1_1col) @seg_0_0
// CHECK: aie.buffer(%{{.*}}) {sym_name = "buf0"}
// CHECK: aie.shim_dma_allocation @air_c_0_0_0(%{{.*}}, MM2S, 0)
// CHECK: segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64
// CHECK: aie.device(npu1_1col) @seg_1_0
// CHECK: aie.buffer(%{{.*}}) {sym_name = "buf1"}
// CHECK: aie.shim_dma_allocation @air_c_1_0_1(%{{.*}}, MM2S, 0)
// CHECK: segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64
// CHECK: airrt.segment_metadata attributes {dma_allocations = [], sym_name = "seg_0_0"}
// CHECK: airrt.segment_metadata attributes {dma_allocations = [], sym_name = "seg_1_0"}
// CHECK: air.channel.put @c[{{.*}} {id = 1 : i32, metadataArray = [{base = "air_c_0_0_0", index = 0 : i32}, {base = "air_c_1_0_1", index = 1 : i32}]}

// Both have half of the columns, so that they fit beside each other.
// SHARE: aie.device(npu2_4col) @seg_0_0
// SHARE: aie.device(npu2_4col) @seg_1_0

// The id is not a parameter that the host hands to a core.
// NPU: aie.device(npu1_2col) @seg
// NPU-DAG: aie.tile(0, 2)
// NPU-DAG: aie.tile(1, 2)
// NPU-NOT: rtp_write
// NPU: aiex.dma_configure_task_for @air_c_0_0_0
// NPU: aiex.dma_configure_task_for @air_c_1_0_1
air.channel @c [2]
func.func @f(%m: memref<128xi32>) {
  air.launch () in () args(%a=%m) : memref<128xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    air.channel.put @c[%c0] (%a[%c0] [%c64] [%c1]) {id = 1 : i32} : (memref<128xi32>)
    air.channel.put @c[%c1] (%a[%c64] [%c64] [%c1]) {id = 2 : i32} : (memref<128xi32>)
    air.segment @seg unroll (%x) in (%sx = %c2) {
      %one = arith.constant 1 : index
      air.herd @h tile (%p, %q) in (%sp=%one, %sq=%one) args(%u=%x) : index attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @c[%u] (%l[] [] []) {id = 3 : i32} : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
    }
  }
  return
}
