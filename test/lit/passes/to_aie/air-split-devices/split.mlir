// RUN: allo-opt %s --air-split-devices=output-prefix=%t/x_ | filecheck %s
// RUN: allo-opt %t/x_aie.one.mlir | filecheck %s --check-prefix=ONE
// RUN: allo-opt %t/x_aie.two.mlir | filecheck %s --check-prefix=TWO
// RUN: allo-opt %s --air-split-devices -o %t/all.mlir | filecheck %s --check-prefix=OUT
// RUN: not allo-opt %s --air-split-devices=output-prefix=%s/ 2>&1 | filecheck %s --check-prefix=ERROR

// The module keeps its devices.
// CHECK: aie.device(npu1) @one
// CHECK: aie.device(npu2) @two
// CHECK: func.func @f

// ONE: module {
// ONE-NEXT: aie.device(npu1) @one {
// ONE-NEXT: aie.tile(0, 2)
// ONE-NOT: func.func

// TWO: module {
// TWO-NEXT: aie.device(npu2) @two {
// TWO-NEXT: aie.tile(1, 3)

// OUT: module {
// OUT: @one
// OUT: module {
// OUT: @two

// ERROR: pass 'air-split-devices': cannot write '{{.*}}aie.one.mlir': {{.*}}; give another output-prefix
aie.device(npu1) @one {
  %t = aie.tile(0, 2)
}
aie.device(npu2) @two {
  %t = aie.tile(1, 3)
}
func.func @f() {
  return
}
