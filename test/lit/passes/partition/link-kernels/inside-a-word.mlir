// RUN: allo-opt --link-kernels --verify-diagnostics %s

aie.device(npu1) @dev {
  %t = aie.tile(0, 0)
  aie.runtime_sequence @k(%a: memref<32xbf16>, %b: memref<32xbf16>) {
  }
}
func.func private @k(memref<32xbf16>, memref<32xbf16>)
func.func @program(%x: memref<96xbf16>, %y: memref<32xbf16>) {
  %b = memref.subview %x[41] [32] [1] : memref<96xbf16> to memref<32xbf16, strided<[1], offset: 41>>
  %b0 = memref.alloc() : memref<32xbf16>
  memref.copy %b, %b0 : memref<32xbf16, strided<[1], offset: 41>> to memref<32xbf16>
  // expected-error@below {{passes @k a part of a buffer from element 41 on, which is not at a multiple of 32 bits; DMAs move whole words: let the part begin at a multiple of 32 bits, or copy it in a kernel of its own}}
  call @k(%b0, %y) : (memref<32xbf16>, memref<32xbf16>) -> ()
  return
}
