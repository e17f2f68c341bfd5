// RUN: allo-opt %s '--air-place-herds=num-rows=4 num-cols=4 row-anchor=2 col-anchor=0' | filecheck %s
// RUN: allo-opt %s '--air-place-herds=num-rows=4 num-cols=4 row-anchor=2' '--air-place-herds=num-rows=4 num-cols=4 row-anchor=2' | filecheck %s

// The biggest first, whatever the order of the text; then row by row from the south-west.

// CHECK-LABEL: func.func @sizes
// CHECK:       air.segment @s attributes {x_loc = 0 : i64, x_size = 4 : i64, y_loc = 2 : i64, y_size = 4 : i64}
// CHECK:       air.herd @one {{.*}}x_loc = 3 : i64, y_loc = 2 : i64
// CHECK:       air.herd @big {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.herd @column {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
// CHECK:       air.herd @row {{.*}}x_loc = 0 : i64, y_loc = 5 : i64
// CHECK:       air.herd tile {{.*}}x_loc = 3 : i64, y_loc = 3 : i64
func.func @sizes() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    air.herd @one tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    }
    air.herd @big tile (%x, %y) in (%sx=%c2, %sy=%c3) {
    }
    air.herd @column tile (%x, %y) in (%sx=%c1, %sy=%c3) {
    }
    air.herd @row tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    }
  }
  return
}

// Phases share the place, with room for the largest; each segment starts again.

// CHECK-LABEL: func.func @phases
// CHECK:       air.herd @h {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.herd @g {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
// CHECK:       air.herd @h {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.segment @t
// CHECK:       air.herd @h {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
func.func @phases() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c2) {
    }
    air.herd @g tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
  }
  air.segment @t {
    %c2 = arith.constant 2 : index
    air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) {
    }
  }
  return
}

// Given places are kept, also half ones; a segment's own part of the array comes first.

// CHECK-LABEL: func.func @given
// CHECK:       air.segment @s attributes {x_loc = 2 : i64, x_size = 2 : i64, y_loc = 3 : i64, y_size = 2 : i64}
// CHECK:       air.herd @a {{.*}}x_loc = 3 : i64, y_loc = 3 : i64
// CHECK:       air.herd @b {{.*}}x_loc = 2 : i64, y_loc = 4 : i64
// CHECK:       air.herd @c {{.*}}x_loc = 2 : i64, y_loc = 3 : i64
func.func @given() {
  air.segment @s attributes {x_loc = 2 : i64, x_size = 2 : i64, y_loc = 3 : i64, y_size = 2 : i64} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) attributes {x_loc = 3 : i64} {
    }
    air.herd @b tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    air.herd @c tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    }
  }
  return
}

// Herds without a segment, synchronous or not.

// CHECK-LABEL: func.func @bare
// CHECK:       air.herd @a async {{.*}}x_loc = 0 : i64, y_loc = 3 : i64
// CHECK:       air.herd @b async {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
func.func @bare() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.launch (%i) in (%n=%c1) {
    %d1 = arith.constant 1 : index
    %d4 = arith.constant 4 : index
    %t = air.herd @a async tile (%x) in (%sx=%d1) {
    }
    %u = air.herd @b async [%t] tile (%x) in (%sx=%d4) {
    }
  }
  return
}

// Where the first choice leaves no room, it is given up: only the pinwheel fills the grid.

// CHECK-LABEL: func.func @again
// CHECK:       air.herd @south {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.herd @east {{.*}}x_loc = 2 : i64, y_loc = 2 : i64
// CHECK:       air.herd @north {{.*}}x_loc = 1 : i64, y_loc = 4 : i64
// CHECK:       air.herd @west {{.*}}x_loc = 0 : i64, y_loc = 3 : i64
// CHECK:       air.herd @middle {{.*}}x_loc = 1 : i64, y_loc = 3 : i64
func.func @again() {
  air.segment @s attributes {x_size = 3 : i64, y_size = 3 : i64} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd @south tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    air.herd @east tile (%x, %y) in (%sx=%c1, %sy=%c2) {
    }
    air.herd @north tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    }
    air.herd @west tile (%x, %y) in (%sx=%c1, %sy=%c2) {
    }
    air.herd @middle tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    }
  }
  return
}
