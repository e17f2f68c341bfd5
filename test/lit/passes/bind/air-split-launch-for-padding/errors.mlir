// RUN: allo-opt %s --split-input-file --air-split-launch-for-padding --verify-diagnostics

// Four blocks of 16 cover 60 elements, not five.
func.func @count(%x: memref<64x60xi32>) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  // expected-error@below {{covers 60 elements of dimension 1 in blocks of 16, which takes 4 of them, and has 5}}
  air.launch (%i, %j) in (%m=%c2, %n=%c5) args(%a=%x) : memref<64x60xi32> attributes {air.actual_sizes = array<i64: 64, 60>} {
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c16 : index
  }
  return
}

// -----

// No id is multiplied with a constant.
func.func @block(%x: memref<64x60xi32>) {
  %c2 = arith.constant 2 : index
  // expected-error@below {{has air.actual_sizes, but its id 0 is not multiplied by a constant, the size of a block}}
  air.launch (%i, %j) in (%m=%c2, %n=%c2) args(%a=%x) : memref<64x60xi32> attributes {air.actual_sizes = array<i64: 64, 60>} {
  }
  return
}

// -----

// Without a memtile between nothing can add zeros.
air.channel @a [1, 1]
func.func @straight(%x: memref<40x8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.launch (%i, %j) in (%m=%c2, %n=%c1) args(%a=%x) : memref<40x8xi32> attributes {air.actual_sizes = array<i64: 40, 16>} {
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %r = arith.muli %i, %c32 : index
    %c = arith.muli %j, %c16 : index
    // expected-error@below {{moves a block that overhangs its array directly to a core}}
    air.channel.put @a[] (%a[%r, 0] [32, 8] [8, 1]) : (memref<40x8xi32>)
    air.segment @s {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%p, %q) in (%u=%d1, %v=%d1) {
        %t = memref.alloc() : memref<32x8xi32, 2>
        air.channel.get @a[%p, %q] (%t[] [] []) : (memref<32x8xi32, 2>)
      }
    }
  }
  return
}
