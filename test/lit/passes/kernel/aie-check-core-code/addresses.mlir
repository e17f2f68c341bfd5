// RUN: allo-opt %s --aie-check-core-code --split-input-file --verify-diagnostics -o /dev/null

// npu2 loads 64 bytes at once.
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %odd = aie.buffer(%t) {address = 1060 : i32, sym_name = "odd"} : memref<64xi32>
  %half = aie.buffer(%t) {address = 4128 : i32, sym_name = "half"} : memref<64xi32>
  %even = aie.buffer(%t) {address = 8192 : i32, sym_name = "even"} : memref<64xi32>
  %c = aie.core(%t) {
    %z = arith.constant 0 : index
    %s = arith.constant 16 : index
    %n = arith.constant 64 : index
    scf.for %i = %z to %n step %s {
      // expected-error@below {{moves 64 bytes at an address that is not a multiple of 64: @odd is at 1,060, and the core drops the low bits of the address; put @odd at a multiple of 64, such as 1,088}}
      %v = vector.load %odd[%i] : memref<64xi32>, vector<16xi32>
      // expected-warning@below {{@half is at 4,128}}
      vector.store %v, %half[%i] : memref<64xi32>, vector<16xi32>
      vector.store %v, %even[%i] : memref<64xi32>, vector<16xi32>
      %w = vector.load %half[%i] : memref<64xi32>, vector<8xi32>
    }
    aie.end
  }
}

// -----

// npu1 loads 32 bytes at once, and a view moves the address.
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %half = aie.buffer(%t) {address = 4128 : i32, sym_name = "half"} : memref<64xi32>
  %odd = aie.buffer(%t) {address = 8208 : i32, sym_name = "odd"} : memref<64xi32>
  %c = aie.core(%t) {
    %z = arith.constant 0 : index
    %v = vector.load %half[%z] : memref<64xi32>, vector<16xi32>
    %moved = memref.subview %odd[4] [32] [1] : memref<64xi32> to memref<32xi32, strided<[1], offset: 4>>
    vector.store %v, %moved[%z] : memref<32xi32, strided<[1], offset: 4>>, vector<16xi32>
    // expected-error@below {{@odd is at 8,208}}
    vector.store %v, %odd[%z] : memref<64xi32>, vector<16xi32>
    aie.end
  }
}

// -----

// A function that gets the buffer.
aie.device(npu1) {
  func.func private @kernel(%m : memref<64xi32>) {
    %z = arith.constant 0 : index
    // expected-error@below {{@odd is at 1,028}}
    %v = vector.load %m[%z] : memref<64xi32>, vector<16xi32>
    return
  }
  %t = aie.tile(0, 2)
  %odd = aie.buffer(%t) {address = 1028 : i32, sym_name = "odd"} : memref<64xi32>
  %c = aie.core(%t) {
    func.call @kernel(%odd) : (memref<64xi32>) -> ()
    aie.end
  }
}
