// RUN: allo-opt %s --aie-spread-buffers | filecheck %s

// A buffer declared in the core is spread with the others, and moves to them where the order of addresses asks for it.

// CHECK: aie.device
// CHECK-DAG: aie.buffer({{.*}}) {address = {{[0-9]+}} : i32, sym_name = "a"}
// CHECK-DAG: aie.buffer({{.*}}) {address = {{[0-9]+}} : i32, sym_name = "b"}
// CHECK: aie.core
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<1024xi32>
  %core = aie.core(%tile) {
    %b = aie.buffer(%tile) {sym_name = "b"} : memref<512xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    scf.for %i = %c0 to %c512 step %c1 {
      %x = memref.load %a[%i] : memref<1024xi32>
      memref.store %x, %b[%i] : memref<512xi32>
    }
    aie.end
  }
}
