// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIEX: cert.

module {
  aie.device(npu2) {
    memref.global "private" constant @bw : memref<8xi32> = dense<0>
    aiex.cert.uc_dma_chain @chain_0 {
      aiex.cert.uc_dma_bd @bw, 0x1000, 8, false
    }
    aiex.cert.attach_to_group(0) {
      aiex.cert.job(0) {
        aiex.cert.uc_dma_write_des_sync(@chain_0)
        aiex.cert.write32(0x1234, 5)
        aiex.cert.maskwrite32 (0x1234, 5, 0xffffffff)
        aiex.cert.wait_tcts(0, 6, 1)
        aiex.cert.local_barrier(1, 2)
        aiex.cert.remote_barrier(1, 3)
        aiex.cert.apply_offset_57(@bw, 1, 0)
        aiex.cert.nop
      }
    }
  }
}

// CHECK: aie.device(npu2) {
// CHECK: memref.global "private" constant @bw : memref<8xi32> = dense<0>
// CHECK: aiex.cert.uc_dma_chain @chain_0 {
// CHECK: aiex.cert.uc_dma_bd @bw, 4096, 8, false
// CHECK: aiex.cert.attach_to_group(0) {
// CHECK: aiex.cert.job(0) {
// CHECK: aiex.cert.uc_dma_write_des_sync(@chain_0)
// CHECK: aiex.cert.write32(4660, 5)
// CHECK: aiex.cert.maskwrite32(4660, 5, 4294967295)
// CHECK: aiex.cert.wait_tcts(0, 6, 1)
// CHECK: aiex.cert.local_barrier(1, 2)
// CHECK: aiex.cert.remote_barrier(1, 3)
// CHECK: aiex.cert.apply_offset_57(@bw, 1, 0)
// CHECK: aiex.cert.nop

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "main"}> ({
// GENERIC: "aiex.cert.uc_dma_chain"() <{sym_name = "chain_0"}> ({
// GENERIC: "aiex.cert.uc_dma_bd"() <{length = 8 : i32, local_address = 4096 : i32, next_bd = false, remote_address = @bw}> : () -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aiex.cert.attach_to_group"() <{group_id = 0 : i32}> ({
// GENERIC: "aiex.cert.job"() <{job_id = 0 : i32}> ({
// GENERIC: "aiex.cert.uc_dma_write_des_sync"() <{symbol = @chain_0}> : () -> ()
// GENERIC: "aiex.cert.write32"() <{address = 4660 : ui32, value = 5 : ui32}> : () -> ()
// GENERIC: "aiex.cert.maskwrite32"() <{address = 4660 : ui32, mask = 5 : ui32, value = 4294967295 : ui32}> : () -> ()
// GENERIC: "aiex.cert.wait_tcts"() <{channel_id = 6 : i32, target_tcts = 1 : i32, tile_id = 0 : i32}> : () -> ()
// GENERIC: "aiex.cert.local_barrier"() <{local_barrier_id = 1 : i32, num_participants = 2 : i32}> : () -> ()
// GENERIC: "aiex.cert.remote_barrier"() <{party_mask = 3 : i32, remote_barrier_id = 1 : i32}> : () -> ()
// GENERIC: "aiex.cert.apply_offset_57"() <{num_entries = 1 : i16, offset = 0 : i16, symbol = @bw}> : () -> ()
// GENERIC: "aiex.cert.nop"() : () -> ()
