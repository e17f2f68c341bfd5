// RUN: allo-opt %s --split-input-file --air-split-l2-memref='tiles-per-l2-tile=1' | filecheck %s
// RUN: sed 's/air.no_split/air.memtile_col = 1 : i32/' %s | allo-opt --split-input-file --air-split-l2-memref='tiles-per-l2-tile=1' | filecheck %s --check-prefix=COLUMN

// Marked as one piece.

// CHECK-LABEL: func.func @marked
// COLUMN: memref.alloc() {air.memtile_col = 1 : i32} : memref<8xf32, 1>
// CHECK:       memref.alloc() {air.no_split} : memref<8xf32, 1>
module {
  air.channel @in []
  air.channel @out [2]
  func.func @marked(%x: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%y=%x) : memref<8xf32> {
      air.channel.put @in[] (%y[] [] []) : (memref<8xf32>)
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d4 = arith.constant 4 : index
        %m = memref.alloc() {air.no_split} : memref<8xf32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<8xf32, 1>)
        air.channel.put @out[%d0] (%m[%d0] [%d4] [%d1]) : (memref<8xf32, 1>)
        air.channel.put @out[%d1] (%m[%d4] [%d4] [%d1]) : (memref<8xf32, 1>)
        air.herd @h tile (%tx, %ty) in (%sx=%d2, %sy=%d1) {
          %v = memref.alloc() : memref<4xf32, 2>
          air.channel.get @out[%tx] (%v[] [] []) : (memref<4xf32, 2>)
        }
      }
    }
    return
  }
}

// -----

// Overlapping windows lie in no slab; the stream's shape does not divide at the slabs' borders; another use than transfers.

// CHECK-LABEL: func.func @not_to_be_cut
// CHECK:       memref.alloc() : memref<8xf32, 1>
// CHECK:       memref.alloc() : memref<6xf32, 1>
// CHECK:       memref.alloc() : memref<4xf32, 1>
module {
  air.channel @in []
  air.channel @in2 []
  air.channel @out [2]
  air.channel @out2 [2]
  air.channel @out3 [2]
  func.func @not_to_be_cut(%x: memref<8x8xf32>) {
    %c1 = arith.constant 1 : index
    air.launch (%i) in (%n=%c1) args(%y=%x) : memref<8x8xf32> {
      %c0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      air.channel.put @in[] (%y[%c0, %c0] [%c1_1, %c8] [%c8, %c1_1]) : (memref<8x8xf32>)
      air.channel.put @in2[] (%y[%c0, %c0] [%c3, %c2] [%c8, %c1_1]) : (memref<8x8xf32>)
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d3 = arith.constant 3 : index
        %d5 = arith.constant 5 : index
        %m = memref.alloc() : memref<8xf32, 1>
        air.channel.get @in[] (%m[] [] []) : (memref<8xf32, 1>)
        air.channel.put @out[%d0] (%m[%d0] [%d5] [%d1]) : (memref<8xf32, 1>)
        air.channel.put @out[%d1] (%m[%d3] [%d5] [%d1]) : (memref<8xf32, 1>)
        %p = memref.alloc() : memref<6xf32, 1>
        air.channel.get @in2[] (%p[] [] []) : (memref<6xf32, 1>)
        air.channel.put @out2[%d0] (%p[%d0] [%d3] [%d1]) : (memref<6xf32, 1>)
        air.channel.put @out2[%d1] (%p[%d3] [%d3] [%d1]) : (memref<6xf32, 1>)
        %q = memref.alloc() : memref<4xf32, 1>
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %q[%d0] : memref<4xf32, 1>
        air.channel.put @out3[%d0] (%q[%d0] [%d2] [%d1]) : (memref<4xf32, 1>)
        air.channel.put @out3[%d1] (%q[%d2] [%d2] [%d1]) : (memref<4xf32, 1>)
        air.herd @h tile (%tx, %ty) in (%sx=%d2, %sy=%d1) {
          %v = memref.alloc() : memref<5xf32, 2>
          air.channel.get @out[%tx] (%v[] [] []) : (memref<5xf32, 2>)
          %w = memref.alloc() : memref<3xf32, 2>
          air.channel.get @out2[%tx] (%w[] [] []) : (memref<3xf32, 2>)
          %u = memref.alloc() : memref<2xf32, 2>
          air.channel.get @out3[%tx] (%u[] [] []) : (memref<2xf32, 2>)
        }
      }
    }
    return
  }
}
