// RUN: allo-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 use-objectfifo=true' --split-input-file --verify-diagnostics

air.channel @in [1, 1]
air.channel @out [1, 1]
func.func @two(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<8xi32>)
    air.channel.get @out[] (%x[] [] []) : (memref<8xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %l = memref.alloc() : memref<8xi32, 2>
        air.channel.get @in[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        // expected-error@below {{moves a buffer that another one moves, too; an object is of one fifo: copy it}}
        air.channel.put @out[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %l : memref<8xi32, 2>
      }
    }
  }
  return
}

// -----

air.channel @in []
func.func @kept(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<8xi32>)
    air.segment @s {
      // expected-error@below {{is filled or read by the device only; a memtile forwards what one fifo brings to another}}
      %m = memref.alloc() : memref<8xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 1>)
      memref.dealloc %m : memref<8xi32, 1>
    }
  }
  return
}
