// RUN: allo-opt %s '--air-place-herds=num-rows=4 num-cols=8 row-anchor=2' 2>&1 | filecheck %s

// A pin that is ignored leaves the herd as free as others; one that can be heeded is.

// CHECK: warning: 'air.herd' op ignoring user-pinned x_loc/y_loc: @away (2x2) at x_loc = 7, y_loc = 2 is outside the grid
// CHECK: air.herd @kept {{.*}} attributes {x_loc = 4 : i64, y_loc = 3 : i64}
// CHECK: air.herd @away {{.*}} attributes {x_loc = 0 : i64, y_loc = 2 : i64}
// CHECK: air.herd @column {{.*}} attributes {x_loc = 6 : i64, y_loc = 2 : i64}
func.func @f() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @kept tile (%x, %y) in (%sx=%c2, %sy=%c1) attributes {x_loc = 4 : i64, y_loc = 3 : i64} {
    }
    air.herd @away tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {x_loc = 7 : i64, y_loc = 2 : i64} {
    }
    air.herd @column tile (%x, %y) in (%sx=%c1, %sy=%c1) attributes {x_loc = 6 : i64} {
    }
  }
  return
}
