// RUN: allo-opt %s '--air-place-herds=num-rows=4 num-cols=4 row-anchor=2' | filecheck %s

air.channel @one [1, 1] {channel_type = "cascade"}
air.channel @two [1, 1] {channel_type = "cascade"}
air.channel @rows [1, 4] {channel_type = "cascade"}
air.channel @cols [4, 1] {channel_type = "cascade"}
air.channel @plain [1, 1]

// The last of a chain comes first in the text, and would get the corner: each lies west of the one it feeds, or north of it.

// CHECK-LABEL: func.func @chain
// CHECK:       air.herd @last {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.herd @middle {{.*}}x_loc = 0 : i64, y_loc = 3 : i64
// CHECK:       air.herd @first {{.*}}x_loc = 0 : i64, y_loc = 4 : i64
// CHECK:       air.herd @free {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
func.func @chain() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    air.herd @last tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @two[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
      air.channel.put @plain[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @middle tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @one[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
      air.channel.put @two[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @first tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.put @one[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @free tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @plain[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// Four links go row to row between columns, column to column between rows.

// CHECK-LABEL: func.func @bundles
// CHECK:       air.herd @to {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK:       air.herd @from {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.segment @t
// CHECK:       air.herd @to {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.herd @from {{.*}}x_loc = 0 : i64, y_loc = 3 : i64
func.func @bundles() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    air.herd @to tile (%x, %y) in (%sx=%c1, %sy=%c4) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @rows[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @from tile (%x, %y) in (%sx=%c1, %sy=%c4) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.put @rows[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
  }
  air.segment @t {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    air.herd @to tile (%x, %y) in (%sx=%c4, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.get @cols[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
    air.herd @from tile (%x, %y) in (%sx=%c4, %sy=%c1) {
      %l = memref.alloc() : memref<8xi32, 2>
      air.channel.put @cols[%x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// Without the buffer that they share, @b would go to column 2, after @a.

// CHECK-LABEL: func.func @memory
// CHECK:       air.herd @a {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
// CHECK:       air.herd @other {{.*}}x_loc = 1 : i64, y_loc = 2 : i64
// CHECK:       air.herd @b {{.*}}x_loc = 0 : i64, y_loc = 3 : i64
func.func @memory() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %t, %l = air.execute -> (memref<8xi32, 2>) {
      %m = memref.alloc() : memref<8xi32, 2>
      air.execute_terminator %m : memref<8xi32, 2>
    }
    air.herd @a tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l) : memref<8xi32, 2> {
    }
    air.herd @other tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    }
    air.herd @b tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%m=%l) : memref<8xi32, 2> {
    }
  }
  return
}
