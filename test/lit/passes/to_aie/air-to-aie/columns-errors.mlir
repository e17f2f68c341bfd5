// RUN: allo-opt %s --air-to-aie='logical-tiles=false use-lock-race-condition-fix=true device=npu1 row-offset=2 col-offset=0' --split-input-file --verify-diagnostics

// A column that the device does not have is as good as none.
air.channel @in []
func.func @ignored(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      // expected-warning@below {{asks for air.memtile_col 9, where npu1 has no memtile; the attribute is ignored}}
      %l2 = memref.alloc() {air.memtile_col = 9 : i32} : memref<64xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<64xi32, 1>)
    }
  }
  return
}

// -----

// One DMA channel works in one memtile.
air.channel @in []
func.func @apart(%A: memref<64xi32>) {
  air.launch () in () args(%x=%A) : memref<64xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
    air.segment @seg {
      // expected-error@below {{asks for air.memtile_col 1 and 2 with a buffer on the same DMA channel}}
      %a = memref.alloc() {air.memtile_col = 1 : i32} : memref<64xi32, 1>
      %b = memref.alloc() {air.memtile_col = 2 : i32} : memref<64xi32, 1>
      air.channel.get @in[] (%a[] [] []) : (memref<64xi32, 1>)
      air.channel.get @in[] (%b[] [] []) : (memref<64xi32, 1>)
    }
  }
  return
}
