// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIEX: several devices.

module @dev {
  aie.device(npu2) @a { } {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>}
  aie.device(npu2) @b { aie.runtime_sequence @seq(%a: memref<4xi32>) { } }
  aie.device(npu2) { %t = aie.tile(0,0) 
    aie.runtime_sequence @main(%x: memref<4xi32>) {
      aiex.configure @b { aiex.run @seq(%x) : (memref<4xi32>) }
      aiex.configure @b {
        aiex.run @seq (%x) : (memref<4xi32>)
        aiex.npu.load_pdi {device_ref = @a}
      } {foo}
    } }
}

// CHECK: aie.device(npu2) @a {
// CHECK: aie.device(npu2) @b {
// CHECK: aie.runtime_sequence @seq(%arg0: memref<4xi32>) {
// CHECK: aie.device(npu2) {
// CHECK: %shim_noc_tile_0_0 = aie.tile(0, 0)
// CHECK: aie.runtime_sequence @main(%arg0: memref<4xi32>) {
// CHECK: aiex.configure @b {
// CHECK: aiex.run @seq(%arg0) : (memref<4xi32>)
// CHECK: aiex.configure @b {
// CHECK: aiex.run @seq(%arg0) : (memref<4xi32>)
// CHECK: aiex.npu.load_pdi {device_ref = @a}

// GENERIC: "aie.device"() <{device = 8 : i32, sym_name = "a"}> ({
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.runtime_sequence"() <{sym_name = "seq"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 0 : i32}> : () -> index
// GENERIC: "aiex.configure"() <{symbol = @b}> ({
// GENERIC: "aiex.run"(%arg0) <{runtime_sequence_symbol = @seq}> : (memref<4xi32>) -> ()
// GENERIC: "aiex.npu.load_pdi"() <{device_ref = @a}> : () -> ()
