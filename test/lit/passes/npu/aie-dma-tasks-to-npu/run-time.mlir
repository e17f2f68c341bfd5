// RUN: allo-opt %s --aie-dma-tasks-to-npu | filecheck %s

// A block with zeros where values go, then a write of each register with a value; a guard for what its field holds.
// CHECK-LABEL: aie.runtime_sequence @seq
// CHECK: scf.for
// CHECK: aiex.npu.assert_bd_field(%{{.*}}) {max = 1048575 : i32} : i32
// CHECK: aiex.npu.blockwrite(%{{.*}}) {address = 118880 : ui32} : memref<8xi32>
// CHECK: aiex.npu.write32(%c118900_i32, %{{.*}}) : i32, i32
// CHECK: aiex.npu.address_patch(%{{.*}} : i32) {addr = 118884 : ui32, arg_idx = 0 : i32}
// CHECK: aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %c3_i32 repeat %{{.*}} {issue_token = true} : i32, i32
// CHECK: aiex.npu.sync(

// A patch holds 32 bits, so that the first byte in an array of more than 4 GiB gets a guard.
// CHECK-LABEL: aie.runtime_sequence @long
// CHECK: %[[FIRST:.*]] = arith.divui %{{.*}}, %c8_i64 : i64
// CHECK: %[[HIGH:.*]] = arith.divui %[[FIRST]], %c4294967296_i64 : i64
// CHECK: %[[WORD:.*]] = arith.trunci %[[HIGH]] : i64 to i32
// CHECK: aiex.npu.assert_bd_field(%[[WORD]]) {max = 0 : i32} : i32
// CHECK: aiex.npu.address_patch(
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.runtime_sequence @seq(%a : memref<8192xi32>, %n : i64, %r : i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ni = arith.index_cast %n : i64 to index
    scf.for %i = %c0 to %ni step %c1 {
      %x = aiex.dma_configure_task(%s, MM2S, 0) repeat %r : i32 {
        aie.dma_bd(%a : memref<8192xi32> offset = %r len = 512 sizes = [1, %n, 8, 32] strides = [4096, %n, 32, 1]) {bd_id = 3 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%x)
      aiex.dma_await_task(%x)
    }
  }
  aie.runtime_sequence @long(%a : memref<2200000000xbf16>, %k : i32) {
    %x = aiex.dma_configure_task(%s, MM2S, 0) {
      aie.dma_bd(%a : memref<2200000000xbf16> offset = %k len = 512) {bd_id = 3 : i32}
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%x)
    aiex.dma_await_task(%x)
  }
}
