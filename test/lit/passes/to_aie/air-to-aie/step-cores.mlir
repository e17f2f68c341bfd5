// RUN: allo-opt %s --air-to-aie='test-patterns=to-aie-mlir device=npu1 row-offset=2 col-offset=0' | filecheck %s
// RUN: allo-opt %s --air-to-aie='test-patterns=to-aie-mlir,alloc-l1-buffers device=npu1 row-offset=2 col-offset=0' | filecheck %s --check-prefix=BUFFERS
// RUN: not allo-opt %S/Inputs/number.mlir --air-to-aie='test-patterns=to-aie-mlir device=npu1 row-offset=2 col-offset=0' 2>&1 | filecheck %s --check-prefix=ERROR

// A core has the herd's body for its ids; transfers and allocations stay, and the channels come along.
// CHECK: aie.device(npu1) @seg {
// CHECK: air.channel @in [1, 2]
// CHECK-NOT: @other
// CHECK: %[[T:.*]] = aie.tile(0, 2)
// CHECK: %[[U:.*]] = aie.tile(0, 3)
// CHECK: %[[E:.*]] = aie.external_buffer {{.*}} : memref<8xi32>
// CHECK: aie.core(%[[T]]) {
// CHECK: %[[Y:.*]] = arith.constant 0 : index
// CHECK: %[[M:.*]] = memref.alloc() : memref<8xi32, 2>
// CHECK: air.channel.get @in[%{{.*}}, %{{.*}}] (%[[M]]
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[E]][] [] [])
// CHECK: aie.end
// CHECK: aie.core(%[[U]]) {
// CHECK: arith.constant 1 : index
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[E]][] [] [])
// CHECK: func.func @f
// CHECK: air.herd

// BUFFERS-COUNT-2: aie.buffer(%{{.*}}) {sym_name = "buf{{[01]}}"} : memref<8xi32, 2>

// ERROR: 'air.herd' op is passed i32 that is not a constant, which to-aie-mlir leaves without a place
air.channel @in [1, 2]
air.channel @other [1]
func.func @f(%a: memref<8xi32>) {
  air.launch () in () args(%x = %a) : memref<8xi32> {
    air.segment @seg args(%s = %x) : memref<8xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : i32
      air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c2) args(%b = %s, %k = %c7) : memref<8xi32>, i32 {
        %l1 = memref.alloc() : memref<8xi32, 2>
        air.channel.get @in[%i, %j] (%l1[] [] []) : (memref<8xi32, 2>)
        air.dma_memcpy_nd (%l1[] [] [], %b[] [] []) {id = 1 : i32} : (memref<8xi32, 2>, memref<8xi32>)
        %v = memref.load %l1[%j] : memref<8xi32, 2>
        %w = arith.addi %v, %k : i32
        memref.store %w, %l1[%j] : memref<8xi32, 2>
      }
    }
  }
  return
}
