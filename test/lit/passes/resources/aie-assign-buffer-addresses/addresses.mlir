// RUN: allo-opt %s --aie-assign-buffer-addresses | filecheck %s
// RUN: allo-opt %s --aie-assign-buffer-addresses=alloc-scheme=basic-sequential | filecheck %s --check-prefix=SEQ

// The largest first, over the banks in turn, bank 0 after the stack; a bank or an address given by hand stays.

// CHECK: aie.tile(0, 2) {allocation_scheme = "basic-sequential"}
// CHECK: aie.buffer(%tile_0_2) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "small"}
// CHECK: aie.buffer(%tile_0_2) {address = 2048 : i32, mem_bank = 0 : i32, sym_name = "large"}
// CHECK: aie.buffer(%tile_0_2) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "asked"}
// CHECK: aie.buffer(%tile_0_2) {address = 32768 : i32, sym_name = "fixed"}
// SEQ: aie.buffer(%tile_0_2) {address = 6144 : i32, sym_name = "small"}
// SEQ: aie.buffer(%tile_0_2) {address = 2048 : i32, sym_name = "large"}
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %a = aie.buffer(%t) {sym_name = "small"} : memref<33xi8>
  %b = aie.buffer(%t) {sym_name = "large"} : memref<1024xi32>
  %c = aie.buffer(%t) {mem_bank = 3 : i32, sym_name = "asked"} : memref<16xbf16>
  %d = aie.buffer(%t) {address = 32768 : i32, sym_name = "fixed"} : memref<16xi32>
  aie.core(%t) {
    aie.end
  } {stack_size = 2048 : i32}
}

// Two buffers larger than a bank: by default they lie one after another. The memory is full to the last byte.

// CHECK: aie.buffer(%tile_1_2) {address = 0 : i32, sym_name = "x"}
// CHECK: aie.buffer(%tile_1_2) {address = 32768 : i32, sym_name = "y"}
aie.device(npu1) @full {
  %t = aie.tile(1, 2)
  %x = aie.buffer(%t) {sym_name = "x"} : memref<8192xi32>
  %y = aie.buffer(%t) {sym_name = "y"} : memref<8192xi32>
}

// One after the other, the largest first, without banks; a buffer without a name gets one.

// RUN: allo-opt %s --aie-assign-buffer-addresses=alloc-scheme=basic-sequential | filecheck %s --check-prefix=BASIC
// BASIC-LABEL: @unnamed
// BASIC: aie.buffer(%{{.*}}) {address = 512 : i32, sym_name = "_anonymous0"} : memref<4xi32>
// BASIC: aie.buffer(%{{.*}}) {address = 0 : i32, sym_name = "large"} : memref<128xi32>
aie.device(npu1) @unnamed {
  %t = aie.tile(1, 2)
  %x = aie.buffer(%t) : memref<4xi32>
  %y = aie.buffer(%t) {sym_name = "large"} : memref<128xi32>
}
