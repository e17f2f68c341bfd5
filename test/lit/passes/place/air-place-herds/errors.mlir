// RUN: allo-opt %s --split-input-file --verify-diagnostics '--air-place-herds=num-rows=4 num-cols=4 row-anchor=2'

func.func @too_large() {
  %c5 = arith.constant 5 : index
  // expected-error@+1 {{'air.herd' op No valid placement found. Unplaced herd: h; it has 5 columns and 5 rows, and it is larger than the grid of 4 columns and 4 rows from column 0, row 2; enlarge the grid (num-rows, num-cols), reshape the herd (air-collapse-herd), or make it smaller}}
  air.herd @h tile (%x, %y) in (%sx=%c5, %sy=%c5) {
  }
  return
}

// -----

func.func @no_room() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    air.herd @a tile (%x, %y) in (%sx=%c4, %sy=%c3) {
    }
    // expected-error@+1 {{Unplaced herd: b; it has 1 column and 3 rows, and the grid of 4 columns and 4 rows from column 0, row 2 has no room for it beside @a (4x3 at column 0, row 2)}}
    air.herd @b tile (%x, %y) in (%sx=%c1, %sy=%c3) {
    }
  }
  return
}

// -----

func.func @same_place() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    air.herd @a tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
    }
    // expected-warning@+1 {{ignoring user-pinned x_loc/y_loc: @b (2x2) at x_loc = 1, y_loc = 3 overlaps @a}}
    air.herd @b tile (%x, %y) in (%sx=%c2, %sy=%c2) attributes {x_loc = 1 : i64, y_loc = 3 : i64} {
    }
  }
  return
}

// -----

func.func @off_the_grid() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    // expected-warning@+1 {{ignoring user-pinned x_loc/y_loc: a herd without a name (1x1) at x_loc = 0, y_loc = 1 is outside the grid of 4 columns and 4 rows from column 0, row 2}}
    air.herd tile (%x, %y) in (%sx=%c1, %sy=%c1) attributes {x_loc = 0 : i64, y_loc = 1 : i64} {
    }
  }
  return
}

// -----

func.func @torn() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'air.herd' op has phases with different x_loc, 0 and 1, and herds of one name share their cores; give them one place, or different names}}
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) attributes {x_loc = 0 : i64} {
    }
    air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) attributes {x_loc = 1 : i64} {
    }
  }
  return
}

// -----

func.func @unknown(%n: index) {
  // expected-error@+1 {{cannot be placed: expected a constant number of columns and rows, found a size that is not a constant; run canonicalize first}}
  air.herd @h tile (%x, %y) in (%sx=%n, %sy=%n) {
  }
  return
}

// -----

air.channel @c [1, 1] {channel_type = "cascade"}

func.func @apart() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    air.herd @from tile (%x, %y) in (%sx=%c1, %sy=%c1) attributes {x_loc = 3 : i64, y_loc = 2 : i64} {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.put @c[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
    // expected-error@+1 {{it must lie next to another herd, as cascade @c runs to the east or the south}}
    air.herd @to tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @c[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}
