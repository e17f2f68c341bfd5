// RUN: allo-opt %s --split-input-file --aie-spread-buffers | filecheck %s
// RUN: allo-opt %s --split-input-file --aie-spread-buffers --aie-spread-buffers | filecheck %s
// RUN: allo-opt %s --split-input-file --aie-spread-buffers=most=2 | filecheck %s

// The loop reads both operands and the result four times each: no two of them share a bank, although each has room for two. With `most`
// buffers or fewer all orders are tried, else two change places as long as that gains.

// CHECK-LABEL: aie.device(npu1) @separate
// CHECK: aie.tile(0, 2) {allocation_scheme = "basic-sequential"}
// CHECK: aie.buffer(%tile_0_2) {address = 1024 : i32, sym_name = "a"}
// CHECK-NEXT: aie.buffer(%tile_0_2) {address = 16384 : i32, sym_name = "b"}
// CHECK-NEXT: aie.buffer(%tile_0_2) {address = 32768 : i32, sym_name = "c"}
aie.device(npu1) @separate {
  %t = aie.tile(0, 2)
  %a = aie.buffer(%t) {sym_name = "a"} : memref<2560xi32>
  %b = aie.buffer(%t) {sym_name = "b"} : memref<2560xi32>
  %c = aie.buffer(%t) {sym_name = "c"} : memref<2560xi32>
  aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c2560 = arith.constant 2560 : index
    scf.for %i = %c0 to %c2560 step %c8 {
      %x = vector.load %a[%i] : memref<2560xi32>, vector<8xi32>
      %y = vector.load %b[%i] : memref<2560xi32>, vector<8xi32>
      %z = arith.addi %x, %y : vector<8xi32>
      vector.store %z, %c[%i] : memref<2560xi32>, vector<8xi32>
    }
    aie.end
  }
}

// -----

// A buffer larger than a bank lies between two that are read together, which then share no bank; the order of the
// declarations is that of the addresses.

// CHECK-LABEL: aie.device(npu1) @between
// CHECK: aie.buffer(%tile_0_2) {address = 1024 : i32, sym_name = "a"}
// CHECK-NEXT: aie.buffer(%tile_0_2) {address = {{[0-9]+}} : i32, sym_name = "large"}
// CHECK-NEXT: aie.buffer(%tile_0_2) {address = {{49152|5[0-9]*}} : i32, sym_name = "b"}
aie.device(npu1) @between {
  %t = aie.tile(0, 2)
  %a = aie.buffer(%t) {sym_name = "a"} : memref<12x1024xi8>
  %b = aie.buffer(%t) {sym_name = "b"} : memref<12x1024xi8>
  %l = aie.buffer(%t) {sym_name = "large"} : memref<36x1024xi8>
  aie.core(%t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c12 = arith.constant 12 : index
    scf.for %i = %c0 to %c12 step %c1 {
      %x = vector.load %a[%i, %c0] : memref<12x1024xi8>, vector<128xi8>
      %y = vector.load %b[%i, %c0] : memref<12x1024xi8>, vector<128xi8>
      %z = arith.addi %x, %y : vector<128xi8>
      vector.store %z, %l[%i, %c0] : memref<36x1024xi8>, vector<128xi8>
    }
    aie.end
  }
}

// -----

// Nothing changes where an address is given, where no loop accesses two buffers, where the core accesses too many of them, and
// where they do not fit.

// CHECK-LABEL: aie.device(npu1) @stays
// CHECK: aie.buffer(%tile_0_2) {sym_name = "given_0"}
// CHECK: aie.buffer(%tile_0_2) {address = 4096 : i32, sym_name = "given_1"}
// CHECK: aie.buffer(%tile_0_3) {sym_name = "alone_0"}
// CHECK: aie.buffer(%tile_0_3) {sym_name = "alone_1"}
// CHECK: aie.buffer(%tile_0_4) {sym_name = "huge_0"}
// CHECK: aie.buffer(%tile_0_4) {sym_name = "huge_1"}
aie.device(npu1) @stays {
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %t4 = aie.tile(0, 4)
  %g0 = aie.buffer(%t2) {sym_name = "given_0"} : memref<64xi32>
  %g1 = aie.buffer(%t2) {address = 4096 : i32, sym_name = "given_1"} : memref<64xi32>
  %a0 = aie.buffer(%t3) {sym_name = "alone_0"} : memref<64xi32>
  %a1 = aie.buffer(%t3) {sym_name = "alone_1"} : memref<64xi32>
  %h0 = aie.buffer(%t4) {sym_name = "huge_0"} : memref<8192xi32>
  %h1 = aie.buffer(%t4) {sym_name = "huge_1"} : memref<8192xi32>
  aie.core(%t2) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %x = memref.load %g0[%i] : memref<64xi32>
      memref.store %x, %g1[%i] : memref<64xi32>
    }
    aie.end
  }
  aie.core(%t3) {
    %c0 = arith.constant 0 : index
    %x = memref.load %a0[%c0] : memref<64xi32>
    memref.store %x, %a1[%c0] : memref<64xi32>
    aie.end
  }
  aie.core(%t4) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %x = memref.load %h0[%i] : memref<8192xi32>
      memref.store %x, %h1[%i] : memref<8192xi32>
    }
    aie.end
  }
}
