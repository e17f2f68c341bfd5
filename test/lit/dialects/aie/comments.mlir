// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: comments.

module @a { // aie.device(npu1) {
  aie.device // between
    (npu2) // {
    @name // more
  { // }
    %t // c
      = // d
      aie.tile // "
      ( // (
      0 // 0
      , // 1
      2 ) // x
      { // {
        allocation_scheme = "bank-aware" // }
      } // end
    aie.buffer(%t) // x
      : memref<4xi32> // = dense<0>
    %b = aie.buffer(%t) // x
      : memref<4xi32> // = dense<0>
      = // y
      dense<0> // z
    %c = aie.core(%t) {
      aie.end // end
    } // done
    { stack_size = 2048 : i32 // a
    , elf_file = "a // b.elf" }
  }
}

// CHECK: aie.device(npu2) @name {
// CHECK: %tile_0_2 = aie.tile(0, 2) {allocation_scheme = "bank-aware"}
// CHECK: %buffer_0_2 = aie.buffer(%tile_0_2) : memref<4xi32>
// CHECK: %buffer_0_2_0 = aie.buffer(%tile_0_2) : memref<4xi32> = dense<0>
// CHECK: %core_0_2 = aie.core(%tile_0_2) {
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "name"}> ({
// GENERIC: "aie.tile"() <{allocation_scheme = "bank-aware", col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.buffer"(%0) : (index) -> memref<4xi32>
// GENERIC: "aie.core"(%0) <{elf_file = "a // b.elf", stack_size = 2048 : i32}> ({
// GENERIC: "aie.end"() : () -> ()
