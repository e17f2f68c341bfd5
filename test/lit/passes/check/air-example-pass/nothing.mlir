// RUN: allo-opt %s --air-example-pass | filecheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    air.wait_all
// CHECK-NEXT:    return
func.func @f() {
  air.wait_all
  return
}
