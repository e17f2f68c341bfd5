// RUN: allo-opt --syntax=2026-03 %s | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-debuginfo | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIR: channel attributes.

func.func @pads(%a: memref<64x64xi8, 1>, %b: memref<64xi8, 2>) {
  air.channel.put @ch[] (%a[] [] []) {pad_after = array<i32: 0, 1>, pad_before = array<i32: 1, 0>} : (memref<64x64xi8, 1>)
  air.channel.get @ch[] (%a[] [] []) {metadata = @x, "quoted.attr" = 3 : i32, "a b" = unit} : (memref<64x64xi8, 1>)
  return
}
air.channel @ch [1, 1]

// CHECK: air.channel.put @ch[] (%arg0[] [] []) {pad_after = array<i32: 0, 1>, pad_before = array<i32: 1, 0>} : (memref<64x64xi8, 1>)
// CHECK: air.channel.get @ch[] (%arg0[] [] []) {"a b", metadata = @x, quoted.attr = 3 : i32} : (memref<64x64xi8, 1>)
// CHECK: air.channel @ch [1, 1]

// GENERIC: "air.channel.put"(%arg0) <{chan_name = @ch, pad_after = array<i32: 0, 1>, pad_before = array<i32: 1, 0>, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> : (memref<64x64xi8, 1>) -> ()
// GENERIC: "air.channel.get"(%arg0) <{chan_name = @ch, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> {"a b", metadata = @x, quoted.attr = 3 : i32} : (memref<64x64xi8, 1>) -> ()
// GENERIC: "air.channel"() <{channel_type = "dma_stream", size = [1, 1], sym_name = "ch"}> : () -> ()
