// RUN: allo-opt %s --split-input-file --verify-diagnostics --promote-tiles

func.func @overlap(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %v = memref.subview %a[%i] [16] [1] : memref<64xi32> to memref<16xi32, strided<[1], offset: ?>>
    %o = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %w = memref.subview %a[%o] [16] [1] : memref<64xi32> to memref<16xi32, strided<[1], offset: ?>>
    // expected-error@+1 {{works on a buffer that 'linalg.add' writes through another view}}
    linalg.add ins(%v, %v : memref<16xi32, strided<[1], offset: ?>>, memref<16xi32, strided<[1], offset: ?>>) outs(%w : memref<16xi32, strided<[1], offset: ?>>)
  }
  return
}

// -----

func.func @dynamic(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c16) {
    %n = affine.min affine_map<(d0) -> (16, -d0 + 60)>(%i)
    %v = memref.subview %a[%i] [%n] [1] : memref<64xi32> to memref<?xi32, strided<[1], offset: ?>>
    // expected-error@+1 {{and only buffers of static shape are copied to the cores; pad the tiles}}
    linalg.add ins(%v, %v : memref<?xi32, strided<[1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>>) outs(%v : memref<?xi32, strided<[1], offset: ?>>)
  }
  return
}

// -----

func.func @between(%v: i32, %a: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.for %j = %c0 to %c3 step %c1 {
      %p = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 4)>(%i, %j)
      // expected-error@+1 {{accesses elements of memref<12xi32> that lie between those of other cores}}
      memref.store %v, %a[%p] : memref<12xi32>
    }
  }
  return
}
