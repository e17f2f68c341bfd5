// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1'

air.channel @up []
func.func @core(%b: memref<12xi32>) {
  air.launch () in () args(%y=%b) : memref<12xi32> {
    air.channel.get @up[] (%y[] [] []) : (memref<12xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<8xi32, 2>
        // expected-error@+1 {{pads its data, which only the DMA of a memtile can do; send it through an L2 buffer}}
        air.channel.put @up[] (%l[] [] []) {pad_after = array<i32: 4>, pad_before = array<i32: 0>} : (memref<8xi32, 2>)
        memref.dealloc %l : memref<8xi32, 2>
      }
    }
  }
  return
}

// -----

air.channel @down []
func.func @much() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<8xi32, 1>
      // expected-error@+1 {{pads dimension 0 with 0 and 64 elements of 32 bits; a memtile's BD pads at most 63 words there, and whole words}}
      air.channel.put @down[] (%m[] [] []) {pad_after = array<i32: 64>, pad_before = array<i32: 0>} : (memref<8xi32, 1>)
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %l = memref.alloc() : memref<72xi32, 2>
        air.channel.get @down[] (%l[] [] []) : (memref<72xi32, 2>)
        memref.dealloc %l : memref<72xi32, 2>
      }
      memref.dealloc %m : memref<8xi32, 1>
    }
  }
  return
}
