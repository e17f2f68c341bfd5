// RUN: allo-opt %s --aie-dma-to-npu | filecheck %s

// CHECK-LABEL: aie.runtime_sequence @seq
// CHECK: %[[WORDS:.*]] = arith.muli %c256{{.*}}, %arg1 : i64
// CHECK: aiex.npu.blockwrite(%{{.*}}) {address = 118944 : ui32} : memref<8xi32>
// CHECK: aiex.npu.write32(%c118944_i32, %{{.*}}) : i32, i32
// CHECK: aiex.npu.address_patch(%{{.*}} : i32) {addr = 118948 : ui32, arg_idx = 0 : i32}
// CHECK: aiex.npu.write32(%c119316_i32, %c5_i32) : i32, i32
// CHECK: aiex.npu.write32(%c119316_i32, %{{.*}}) : i32, i32
aie.device(npu2) {
  %s = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.runtime_sequence @seq(%a : memref<8192xi32>, %n : i64, %r : i32) {
    aiex.npu.dma_memcpy_nd(%a[0, 0, 0, %n][1, %n, 8, 32][4096, 512, 32, 1]) {id = 5 : i64, metadata = @in} : memref<8192xi32>
    aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %r repeat %r {issue_token = false} : i32, i32
  }
}
