// RUN: allo-opt %s --aie-assign-buffer-addresses=alloc-scheme=basic-sequential | filecheck %s

// Buffers declared in a core, in a loop of it and in a DMA program share the tile's memory with the others.

// CHECK: aie.buffer({{.*}}) {address = 1024 : i32, {{.*}}sym_name = "outside"}
// CHECK: aie.core
// CHECK: scf.for
// CHECK: aie.buffer({{.*}}) {address = 1088 : i32, {{.*}}sym_name = "in_loop"}
// CHECK: aie.mem(
// CHECK: aie.buffer({{.*}}) {address = 1152 : i32, {{.*}}sym_name = "in_program"}
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "outside"} : memref<16xi32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
      %b = aie.buffer(%tile) {sym_name = "in_loop"} : memref<16xi32>
      memref.copy %a, %b : memref<16xi32> to memref<16xi32>
    }
    aie.end
  }
  %mem = aie.mem(%tile) {
    %c = aie.buffer(%tile) {sym_name = "in_program"} : memref<16xi32>
    aie.end
  }
}
