// RUN: allo-opt %s | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt %s | filecheck %s --check-prefix=LITERAL
// RUN: allo-opt %s --syntax=2026-03 | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --syntax=2026-03 | allo-opt | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt %s | allo-opt --syntax=2026-03 | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --mlir-print-op-generic --syntax=2026-03 | allo-opt | filecheck %s --check-prefix=AUGUST
// RUN: allo-opt %s --mlir-print-op-generic --syntax=2026-03 | filecheck %s --check-prefix=GENERIC

// Both spellings of each operation, in one file.

module {
  air.channel @c [1] {channel_type = "dma_packet"}
  air.channel @d [1] {channel_type = "npu_cascade"}
  func.func @air(%m: memref<64x64xi32>, %i: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    air.channel.put @c[%c0] (%m[%c0, %i] [%c32, %c32] [%c64, %c1]) : (memref<64x64xi32>)
    air.channel.put @c[%c0] (%m[0, %i] [32, 32] [64, 1]) : (memref<64x64xi32>)
    air.channel.get @d[%i] (%m[] [] []) : (memref<64x64xi32>)
    return
  }
  func.func @airrt(%m: memref<64xi32>, %id: i32, %x: i64) {
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %64 = arith.constant 64 : i64
    airrt.dma_memcpy_nd(%id, %x, %x, %m[%0, %0, %0, %x], [%1, %1, %1, %64], [%0, %0, %0, %1]) {metadata = @c} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
    airrt.dma_memcpy_nd(%id, %x, %x, %m[0, 0, 0, %x], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c} : (i32, i64, i64, memref<64xi32>)
    return
  }
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %l = aie.lock(%t, 0) {init = 1 : i32}
    %b = aie.buffer(%t) {sym_name = "b"} : memref<64xi32>
    aie.mem(%t) {
      %one = arith.constant 1 : i32
      %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%l, AcquireGreaterEqual, %one)
      aie.dma_bd(%b : memref<64xi32>, 8, 32, [<size = 4, stride = 8>, <size = 8, stride = 1>]) {bd_id = 0 : i32}
      aie.use_lock(%l, Release, 1)
      aie.next_bd ^second
    ^second:
      aie.use_lock(%l, AcquireGreaterEqual, 1)
      aie.dma_bd(%b : memref<64xi32> offset = 8 len = 32 sizes = [4, 8] strides = [8, 1]) {bd_id = 1 : i32}
      aie.use_lock(%l, Release, %one)
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    aie.runtime_sequence @seq(%a: memref<64xi32>) {
      %address = arith.constant -16 : i32
      %seven = arith.constant 7 : i32
      aiex.npu.write32 {address = 4294967280 : ui32, value = 7 : ui32}
      aiex.npu.write32(%address, %seven) : i32, i32
      aiex.npu.maskwrite32 {address = 4294967280 : ui32, mask = 7 : ui32, value = 7 : ui32}
      aiex.npu.maskwrite32(%address, %seven, %seven) : i32, i32, i32
      aiex.npu.sync {channel = 7 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
      aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 7 : i32, issue_token = true, repeat_count = 7 : i32}
      aiex.npu.push_queue(0, 0, S2MM : 1) bd_id %seven repeat %seven {issue_token = true} : i32, i32
      aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 0 : i32, arg_plus = 7 : i32}
      aiex.npu.address_patch(%seven : i32) {addr = 118788 : ui32, arg_idx = 0 : i32}
      aiex.npu.rtp_write(@b, 0, 7)
      aiex.npu.rtp_write(@b, 0, %seven) : i32
    }
  }
}

// AUGUST: air.channel @c [1] {channel_type = "npu_dma_packet"}
// AUGUST: air.channel @d [1] {channel_type = "npu_cascade"}
// AUGUST-LABEL: func.func @air
// AUGUST-NEXT: %[[C0:.*]] = arith.constant 0 : index
// AUGUST: air.channel.put @c[%[[C0]]] (%arg0[%[[C0]], %arg1] [%c32, %c32] [%c64, %c1]) : (memref<64x64xi32>)
// LITERAL: air.channel.put @c[%{{.*}}] (%arg0[0, %arg1] [32, 32] [64, 1]) : (memref<64x64xi32>)
// AUGUST: air.channel.put @c[%[[C0]]] (%arg0[
// AUGUST-NEXT: air.channel.get @d[%arg1] (%arg0[] [] []) : (memref<64x64xi32>)
// AUGUST-LABEL: func.func @airrt
// AUGUST-NEXT: airrt.dma_memcpy_nd(%arg1, %arg2, %arg2, %arg0[0, 0, 0, %arg2], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c} : (i32, i64, i64, memref<64xi32>)
// AUGUST-NEXT: airrt.dma_memcpy_nd(%arg1, %arg2, %arg2, %arg0[0, 0, 0, %arg2], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c} : (i32, i64, i64, memref<64xi32>)
// AUGUST: aie.mem
// AUGUST-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// AUGUST-NEXT: aie.dma_start
// AUGUST: aie.use_lock(%[[L:.*]], AcquireGreaterEqual, %[[ONE]])
// AUGUST-NEXT: aie.dma_bd(%b : memref<64xi32> offset = 8 len = 32 sizes = [4, 8] strides = [8, 1]) {bd_id = 0 : i32}
// AUGUST-NEXT: aie.use_lock(%[[L]], Release, %[[ONE]])
// AUGUST: aie.dma_bd(%b : memref<64xi32> offset = 8 len = 32 sizes = [4, 8] strides = [8, 1]) {bd_id = 1 : i32}
// AUGUST: aie.runtime_sequence
// AUGUST-DAG: %[[A:.*]] = arith.constant -16 : i32
// AUGUST-DAG: %[[S:.*]] = arith.constant 7 : i32
// AUGUST: aiex.npu.write32(%[[A]], %[[S]]) : i32, i32
// AUGUST-NEXT: aiex.npu.write32(%[[A]], %[[S]]) : i32, i32
// AUGUST-NEXT: aiex.npu.maskwrite32(%[[A]], %[[S]], %[[S]]) : i32, i32, i32
// AUGUST-NEXT: aiex.npu.maskwrite32(%[[A]], %[[S]], %[[S]]) : i32, i32, i32
// AUGUST: aiex.npu.sync(%[[Z:.*]], %[[Z]], %[[Z]], %[[S]], %[[N:.*]], %[[N]]) : i32, i32, i32, i32, i32, i32
// AUGUST-NEXT: aiex.npu.push_queue(0, 0, S2MM : 1) bd_id %[[S]] repeat %[[S]] {issue_token = true} : i32, i32
// AUGUST-NEXT: aiex.npu.push_queue(0, 0, S2MM : 1) bd_id %[[S]] repeat %[[S]] {issue_token = true} : i32, i32
// AUGUST-NEXT: aiex.npu.address_patch(%[[S]] : i32) {addr = 118788 : ui32, arg_idx = 0 : i32}
// AUGUST-NEXT: aiex.npu.address_patch(%[[S]] : i32) {addr = 118788 : ui32, arg_idx = 0 : i32}
// AUGUST-NEXT: aiex.npu.rtp_write(@b, 0, %[[S]]) : i32
// AUGUST-NEXT: aiex.npu.rtp_write(@b, 0, %[[S]]) : i32

// MARCH: air.channel @c [1] {channel_type = "dma_packet"}
// MARCH: air.channel @d [1] {channel_type = "cascade"}
// MARCH: air.channel.put @c[%{{.*}}] (%arg0[%{{.*}}, %arg1] [%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}]) : (memref<64x64xi32>)
// MARCH: airrt.dma_memcpy_nd({{.*}}) {metadata = @c} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
// MARCH: aie.mem
// MARCH-NEXT: aie.dma_start
// MARCH: aie.use_lock(%[[L:.*]], AcquireGreaterEqual, 1)
// MARCH-NEXT: aie.dma_bd(%b : memref<64xi32>, 8, 32, [<size = 4, stride = 8>, <size = 8, stride = 1>]) {bd_id = 0 : i32}
// MARCH-NEXT: aie.use_lock(%[[L]], Release, 1)
// MARCH: aie.dma_bd(%b : memref<64xi32>, 8, 32, [<size = 4, stride = 8>, <size = 8, stride = 1>]) {bd_id = 1 : i32}
// MARCH: aie.runtime_sequence
// MARCH-NEXT: aiex.npu.write32 {address = 4294967280 : ui32, value = 7 : ui32}
// MARCH-NEXT: aiex.npu.write32 {address = 4294967280 : ui32, value = 7 : ui32}
// MARCH-NEXT: aiex.npu.maskwrite32 {address = 4294967280 : ui32, mask = 7 : ui32, value = 7 : ui32}
// MARCH-NEXT: aiex.npu.maskwrite32 {address = 4294967280 : ui32, mask = 7 : ui32, value = 7 : ui32}
// MARCH-NEXT: aiex.npu.sync {channel = 7 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
// MARCH-NEXT: aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 7 : i32, issue_token = true, repeat_count = 7 : i32}
// MARCH-NEXT: aiex.npu.push_queue(0, 0, S2MM : 1) {bd_id = 7 : i32, issue_token = true, repeat_count = 7 : i32}
// MARCH-NEXT: aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 0 : i32, arg_plus = 7 : i32}
// MARCH-NEXT: aiex.npu.address_patch {addr = 118788 : ui32, arg_idx = 0 : i32, arg_plus = 7 : i32}
// MARCH-NEXT: aiex.npu.rtp_write(@b, 0, 7)
// MARCH-NEXT: aiex.npu.rtp_write(@b, 0, 7)

// GENERIC: "aie.use_lock"(%{{.*}}) <{action = 2 : i32, value = 1 : i32}> : (index) -> ()
// GENERIC: "aie.dma_bd"(%{{.*}}) <{bd_id = 0 : i32, dimensions = #aie<bd_dim_layout_array[<size = 4, stride = 8>, <size = 8, stride = 1>]>, len = 32 : i32, offset = 8 : i32}> : (memref<64xi32>) -> ()
// GENERIC: "aiex.npu.write32"() <{address = 4294967280 : ui32, value = 7 : ui32}> : () -> ()
