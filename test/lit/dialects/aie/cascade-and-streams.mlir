// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: cascade and streams.

module @t {
 aie.device(xcve2802) {
  %t0 = aie.tile(1, 3)
  %t1 = aie.tile(2, 3)
  aie.cascade_flow(%t0, %t1)
  aie.configure_cascade(%t0, North, East)
  aie.configure_cascade(%t1, West, South)
  %c = aie.core(%t0) {
    %v = arith.constant dense<0> : vector<16xi32>
    aie.put_cascade(%v : vector<16xi32>)
    aie.event(0)
    aie.event(1)
    aie.end
  }
  %d = aie.core(%t1) {
    %v = aie.get_cascade() : vector<16xi32>
    %i = arith.constant 0 : i32
    %s = aie.get_stream(%i : i32) : i32
    %w = aie.get_stream(%i : i32) : i128
    aie.put_stream(%i : i32, %s : i32)
    aie.put_stream(%i : i32, %w : i128)
    aie.debug(%s : i32)
    aie.end
  }
 }
}

// CHECK: aie.device(xcve2802) {
// CHECK: %tile_1_3 = aie.tile(1, 3)
// CHECK: %tile_2_3 = aie.tile(2, 3)
// CHECK: aie.cascade_flow(%tile_1_3, %tile_2_3)
// CHECK: aie.configure_cascade(%tile_1_3, North, East)
// CHECK: aie.configure_cascade(%tile_2_3, West, South)
// CHECK: %core_1_3 = aie.core(%tile_1_3) {
// CHECK: aie.put_cascade(%cst : vector<16xi32>)
// CHECK: aie.event(0)
// CHECK: aie.event(1)
// CHECK: aie.end
// CHECK: %core_2_3 = aie.core(%tile_2_3) {
// CHECK: %0 = aie.get_cascade() : vector<16xi32>
// CHECK: %1 = aie.get_stream(%c0_i32 : i32) : i32
// CHECK: %2 = aie.get_stream(%c0_i32 : i32) : i128
// CHECK: aie.put_stream(%c0_i32 : i32, %1 : i32)
// CHECK: aie.put_stream(%c0_i32 : i32, %2 : i128)
// CHECK: aie.debug(%1 : i32)
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 3 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 1 : i32, row = 3 : i32}> : () -> index
// GENERIC: "aie.cascade_flow"(%0, %1) : (index, index) -> ()
// GENERIC: "aie.configure_cascade"(%0) <{inputDir = 5 : i32, outputDir = 6 : i32}> : (index) -> ()
// GENERIC: "aie.core"(%0) <{stack_size = 1024 : i32}> ({
// GENERIC: "aie.put_cascade"(%8) : (vector<16xi32>) -> ()
// GENERIC: "aie.event"() <{val = 0 : i32}> : () -> ()
// GENERIC: "aie.end"() : () -> ()
// GENERIC: "aie.get_cascade"() : () -> vector<16xi32>
// GENERIC: "aie.get_stream"(%5) : (i32) -> i32
// GENERIC: "aie.put_stream"(%5, %6) : (i32, i32) -> ()
// GENERIC: "aie.debug"(%6) : (i32) -> ()
