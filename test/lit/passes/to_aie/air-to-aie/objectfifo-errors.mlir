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
        air.channel.put @out[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        // expected-error@below {{moves a buffer that another moves, too; an object is of one fifo: copy it}}
        air.channel.get @in[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
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

// -----

// A link forwards each object once.
air.channel @in []
air.channel @down [1, 1]
func.func @again(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<8xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %m = memref.alloc() : memref<8xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 1>)
      scf.for %k = %c0 to %c4 step %c1 {
        // expected-error@below {{moves an L2 buffer 4 times while it is filled or read otherwise; a link of objectFifos forwards each object once}}
        air.channel.put @down[%c0, %c0] (%m[] [] []) : (memref<8xi32, 1>)
      }
      memref.dealloc %m : memref<8xi32, 1>
      air.herd @h tile (%i, %j) in (%p=%c1, %n=%c1) {
        %l = memref.alloc() : memref<8xi32, 2>
        air.channel.get @down[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %l : memref<8xi32, 2>
      }
    }
  }
  return
}

// -----

// Half of what a memtile holds goes nowhere.
air.channel @in []
air.channel @down [1, 1]
func.func @half(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<8xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %m = memref.alloc() : memref<8xi32, 1>
      air.channel.get @in[] (%m[] [] []) : (memref<8xi32, 1>)
      // expected-error@below {{and others move 4 of 8 elements of an L2 buffer; a link forwards each element once}}
      air.channel.put @down[%c0, %c0] (%m[%c4] [%c4] [%c1]) : (memref<8xi32, 1>)
      memref.dealloc %m : memref<8xi32, 1>
      air.herd @h tile (%i, %j) in (%p=%c1, %n=%c1) {
        %l = memref.alloc() : memref<4xi32, 2>
        air.channel.get @down[%i, %j] (%l[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %l : memref<4xi32, 2>
      }
    }
  }
  return
}

// -----

// An object is a whole buffer of a core, in its order.
air.channel @out [1, 1]
func.func @turned(%a: memref<16xi32>) {
  air.launch () in () args(%x=%a) : memref<16xi32> {
    air.channel.get @out[] (%x[] [] []) : (memref<16xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %l = memref.alloc() : memref<16xi32, 2>
        // expected-error@below {{moves part of a buffer of its core, or in another order; an object is a whole buffer}}
        air.channel.put @out[%i, %j] (%l[%c0, %c0] [%c4, %c4] [%one, %c4]) : (memref<16xi32, 2>)
        memref.dealloc %l : memref<16xi32, 2>
      }
    }
  }
  return
}

// -----

// A second acquire of one object, while the first is held, is the same object.
air.channel @in [1, 1]
func.func @both(%a: memref<16xi32>) {
  air.launch () in () args(%x=%a) : memref<16xi32> {
    air.channel.put @in[] (%x[] [] []) : (memref<16xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c1) {
        %k = memref.alloc() : memref<8xi32, 2>
        %l = memref.alloc() : memref<8xi32, 2>
        air.channel.get @in[%i, %j] (%k[] [] []) : (memref<8xi32, 2>)
        // expected-error@below {{moves a second buffer over '@in' where the core holds one already, up to the end of its block}}
        air.channel.get @in[%i, %j] (%l[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %k : memref<8xi32, 2>
        memref.dealloc %l : memref<8xi32, 2>
      }
    }
  }
  return
}
