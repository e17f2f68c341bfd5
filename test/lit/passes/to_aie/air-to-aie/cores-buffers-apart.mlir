// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1' --split-input-file --verify-diagnostics

// Cores share what all of them reach.

func.func @apart() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %both = memref.alloc() : memref<8xi32, 2>
      air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      }
      // expected-error@+1 {{is passed an L1 buffer in the memory of core (2, 2), which core (0, 2) does not reach; place the herds side by side}}
      air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 2 : i64, y_loc = 2 : i64} {
      }
      memref.dealloc %both : memref<8xi32, 2>
    }
  }
  return
}

// -----

func.func @other_size() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %both = memref.alloc() : memref<8xi32, 2>
      air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      }
      // expected-error@+1 {{is passed an L1 buffer that a herd of another size is passed, too}}
      air.herd @two tile (%i, %j) in (%p=%c1, %q=%c2) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
      }
    }
  }
  return
}

// -----

// A DMA reaches the memory of its own core.
air.channel @in []
air.channel @out []
func.func @two_dmas(%a: memref<8xi32>, %b: memref<8xi32>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<8xi32>, memref<8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<8xi32>)
    air.channel.get @out[] (%y[] [] []) : (memref<8xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %both = memref.alloc() : memref<8xi32, 2>
      air.herd @one tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 2>)
      }
      // expected-error@+1 {{is passed an L1 buffer that the DMAs of cores (0, 2) and (0, 3) work on, which reach their own memory only}}
      air.herd @two tile (%i, %j) in (%p=%c1, %q=%c1) args(%m=%both) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
        air.channel.put @out[] (%m[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}
