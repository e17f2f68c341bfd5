// RUN: allo-opt --link-kernels --split-input-file --verify-diagnostics %s

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.runtime_sequence @k(%a: memref<64xi32>, %b: memref<64xi32>) {
  }
}
func.func private @k(memref<64xi32>, memref<64xi32>)
func.func @copies(%x: memref<64xi32>, %y: memref<64xi32>) {
  call @k(%x, %y) : (memref<64xi32>, memref<64xi32>) -> ()
  // expected-error@below {{copies a buffer that is used again, is the caller's, or goes in front of numbers that its own maker would overwrite; the copy would be a kernel of its own}}
  memref.copy %x, %y : memref<64xi32> to memref<64xi32>
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.runtime_sequence @k(%a: memref<64xi32>, %b: memref<64xi32>) {
  }
}
func.func private @k(memref<64xi32>, memref<64xi32>)
func.func @part(%x: memref<80xi32>, %y: memref<64xi32>) {
  %p = memref.subview %x[16] [64] [1] : memref<80xi32> to memref<64xi32, strided<[1], offset: 16>>
  %q = memref.reinterpret_cast %p to offset: [16], sizes: [64], strides: [1] : memref<64xi32, strided<[1], offset: 16>> to memref<64xi32, strided<[1], offset: 16>>
  %r = builtin.unrealized_conversion_cast %q : memref<64xi32, strided<[1], offset: 16>> to memref<64xi32>
  call @k(%r, %y) : (memref<64xi32>, memref<64xi32>) -> ()
  // expected-error@-2 {{is in a program of kernels, which may only call kernels and pass whole buffers}}
  return
}

// -----

aie.device(npu1) @main {
  %t = aie.tile(0, 0)
  // expected-error@-2 {{is called @main, the name of the device that configures the others; rename it}}
  aie.runtime_sequence @k(%a: memref<64xi32>, %b: memref<64xi32>) {
  }
}
func.func private @k(memref<64xi32>, memref<64xi32>)
func.func @twice(%x: memref<64xi32>, %y: memref<64xi32>) {
  call @k(%x, %y) : (memref<64xi32>, memref<64xi32>) -> ()
  call @k(%x, %y) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}

// -----

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.runtime_sequence @k(%a: memref<64xi32>, %b: memref<64xi32>) {
  }
}
func.func private @k(memref<64xi32>, memref<64xi32>)
// expected-error@below {{has argument 1 of type memref<?xi32>; a program of kernels takes memrefs of static shape}}
func.func @dynamic(%x: memref<64xi32>, %y: memref<?xi32>) {
  call @k(%x, %x) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}

// -----

// A kernel whose result is longer than what is copied of it would overwrite the zeros after that.
memref.global "private" constant @zeros : memref<96xi32> = dense<0>
aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.runtime_sequence @k(%a: memref<80xi32>, %b: memref<80xi32>) {
  }
  aie.runtime_sequence @l(%a: memref<96xi32>, %b: memref<96xi32>) {
  }
}
func.func private @k(memref<80xi32>, memref<80xi32>)
func.func private @l(memref<96xi32>, memref<96xi32>)
func.func @grows(%x: memref<80xi32>, %y: memref<96xi32>) {
  %z = memref.get_global @zeros : memref<96xi32>
  %r = memref.alloc() : memref<80xi32>
  %w = memref.alloc() : memref<96xi32>
  call @k(%x, %r) : (memref<80xi32>, memref<80xi32>) -> ()
  %p = memref.subview %r[0] [63] [1] : memref<80xi32> to memref<63xi32, strided<[1]>>
  memref.copy %z, %w : memref<96xi32> to memref<96xi32>
  %q = memref.subview %w[0] [63] [1] : memref<96xi32> to memref<63xi32, strided<[1]>>
  // expected-error@below {{or goes in front of numbers that its own maker would overwrite}}
  memref.copy %p, %q : memref<63xi32, strided<[1]>> to memref<63xi32, strided<[1]>>
  call @l(%w, %y) : (memref<96xi32>, memref<96xi32>) -> ()
  return
}
