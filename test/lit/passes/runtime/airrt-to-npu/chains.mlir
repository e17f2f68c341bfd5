// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu=order=planned | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --airrt-to-npu='order=planned form=dma-memcpy' | filecheck %s --check-prefix=MEMCPY

// Two transfers that take turns are a chain of two descriptors that the queue repeats, each with an iteration of its own; the
// second one reads the same elements each time.
// CHECK-LABEL: @turns
// CHECK:      aiex.dma_configure_task_for @in {
// CHECK-NEXT:   aie.dma_bd(%arg0 : memref<4096xi32>, 0, 32, [<size = 6, stride = 128>, <size = 1, stride = 32>, <size = 4, stride = 500>, <size = 8, stride = 1>])
// CHECK-NEXT:   aie.next_bd ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   aie.dma_bd(%arg1 : memref<64xi32>, 16, 32)
// CHECK-NEXT:   aie.end
// CHECK-NEXT: } {issue_token = true, repeat_count = 5 : i32}
// MEMCPY-LABEL: @turns
// MEMCPY-COUNT-12: aiex.npu.dma_memcpy_nd

// What a descriptor does not walk by itself takes tasks as before: each fifth of a stretch that comes again and again.
// CHECK-LABEL: @again
// CHECK-COUNT-12: dma_configure_task_for

// A descriptor iterates 64 times: a hundred rounds are two chains.
// CHECK-LABEL: @many
// CHECK-COUNT-2: repeat_count = 49
// CHECK-NOT:  dma_configure_task_for
// Two slices of one argument could be one walk, but of a dimension too many for a descriptor that iterates. They stay two.
// CHECK-LABEL: @slices
// CHECK:      aiex.dma_configure_task_for @in {
// CHECK-NEXT:   aie.dma_bd(%arg0 : memref<65536xi32>, 0, 128, [<size = 12, stride = 4096>, <size = 4, stride = 512>, <size = 4, stride = 64>, <size = 8, stride = 1>])
// CHECK-NEXT:   aie.next_bd ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT:   aie.dma_bd(%arg0 : memref<65536xi32>, 16, 128, [<size = 12, stride = 4096>, <size = 4, stride = 512>, <size = 4, stride = 64>, <size = 8, stride = 1>])
// CHECK-NEXT:   aie.end
// CHECK-NEXT: } {issue_token = true, repeat_count = 11 : i32}
// CHECK-NOT:  dma_configure_task_for
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
}

func.func @turns(%a: memref<4096xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %c128 = arith.constant 128 : i64
  %c500 = arith.constant 500 : i64
  affine.for %i = 0 to 6 {
    %n = arith.index_cast %i : index to i64
    %at = arith.muli %n, %c128 : i64
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %at], [%c1, %c1, %c4, %c8], [%c0, %c0, %c500, %c1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c16], [%c1, %c1, %c1, %c32], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}

func.func @again(%a: memref<4096xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i64
  %c8 = arith.constant 8 : i64
  %c32 = arith.constant 32 : i64
  %c128 = arith.constant 128 : i64
  affine.for %i = 0 to 6 {
    %n = arith.index_cast %i : index to i64
    %at = arith.muli %n, %c128 : i64
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %at], [%c1, %c1, %c1, %c8], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c5, %c32], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}

func.func @many(%a: memref<4096xi32>, %b: memref<64xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c32 = arith.constant 32 : i64
  affine.for %i = 0 to 100 {
    %n = arith.index_cast %i : index to i64
    %at = arith.muli %n, %c32 : i64
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %at], [%c1, %c1, %c1, %c8], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<4096xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %b[%c0, %c0, %c0, %c0], [%c1, %c1, %c1, %c32], [%c0, %c0, %c0, %c1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}

func.func @slices(%a: memref<65536xi32>) {
  %id = arith.constant 1 : i32
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %c512 = arith.constant 512 : i64
  %c4096 = arith.constant 4096 : i64
  affine.for %i = 0 to 12 {
    %n = arith.index_cast %i : index to i64
    %at = arith.muli %n, %c4096 : i64
    %next = arith.addi %at, %c16 : i64
    %e = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %at], [%c1, %c4, %c4, %c8], [%c0, %c512, %c64, %c1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %c0, %c0, %a[%c0, %c0, %c0, %next], [%c1, %c4, %c4, %c8], [%c0, %c512, %c64, %c1]) {metadata = @in} : (i32, i64, i64, memref<65536xi32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64]) : !airrt.event
  }
  return
}
