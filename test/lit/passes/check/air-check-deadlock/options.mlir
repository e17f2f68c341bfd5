// RUN: allo-opt %s --split-input-file --air-check-deadlock=capacity=2 --verify-diagnostics
// RUN: not allo-opt %s --air-check-deadlock=capacity=-1 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG: capacity is -1, expected 0 or more transfers

// Two transfers fit.
air.channel @data []
air.channel @go []
func.func @deeper() {
  %c1 = arith.constant 1 : index
  %a = air.herd @a async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.put @data[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.put @data[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.put @go[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  %b = air.herd @b async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.get @go[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @data[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @data[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

// The herd's token comes after the put that waits for it; the cores of a device start anyway.
air.channel @c []
func.func @late(%l3: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = air.wait_all async
  %sent = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %t) -> (!air.async.token) {
    // expected-warning@+1 {{'air.channel.put' op deadlocks: put on @c[] of the function's body waits, over 2 steps, for itself; a herd waits for a token}}
    %s = air.channel.put async [%before] @c[] (%l3[] [] []) : (memref<8xi32>)
    scf.yield %s : !air.async.token
  }
  %h = air.herd @h async [%sent] tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<24xi32, 2>
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %eight = arith.constant 8 : index
    scf.for %i = %z to %three step %one {
      air.channel.get @c[] (%l1[%z] [%eight] [%one]) : (memref<24xi32, 2>)
    }
  }
  return
}
