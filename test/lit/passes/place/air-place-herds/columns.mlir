// RUN: allo-opt --pass-pipeline='builtin.module(air-place-herds{num-rows=4 num-cols=4 row-anchor=2})' %s | filecheck %s

// The segment of a kernel that shares the array has the kernel's columns, any other one all.

// CHECK-LABEL: func.func @shares
// CHECK:       air.segment @s attributes {x_loc = 0 : i64, x_size = 2 : i64, y_loc = 2 : i64, y_size = 4 : i64}
// CHECK-LABEL: func.func @alone
// CHECK:       air.segment @t attributes {x_loc = 0 : i64, x_size = 4 : i64, y_loc = 2 : i64, y_size = 4 : i64}
func.func @shares() attributes {allo.columns = {count = 2 : i64, of = 4 : i64, chosen = "2 of 4"}} {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      }
    }
  }
  return
}
func.func @alone() {
  air.launch () in () {
    air.segment @t {
      %c1 = arith.constant 1 : index
      air.herd @b tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      }
    }
  }
  return
}
