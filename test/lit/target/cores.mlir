// RUN: allo-translate --aie-generate-mmap %s | filecheck %s
// RUN: allo-translate --aie-generate-target-arch %s | filecheck %s --check-prefix=ARCH
// RUN: allo-translate --aie-generate-corelist %s | filecheck %s --check-prefix=LIST
// RUN: allo-translate --aie-generate-ldscript --tilecol=1 --tilerow=2 %s | filecheck %s --check-prefix=LD
// RUN: allo-translate --aie-generate-bcf --tilecol=1 --tilerow=2 %s | filecheck %s --check-prefix=BCF
// RUN: not allo-translate --aie-generate-bcf --tilecol=1 --tilerow=3 %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: allo-opt %s --aie-standard-lowering='tilecol=1 tilerow=2' --finalize-memref-to-llvm --convert-func-to-llvm | allo-translate --mlir-to-llvmir | filecheck %s --check-prefix=LLVM
// RUN: not allo-translate --mlir-to-llvmir %s 2>&1 | filecheck %s --check-prefix=DIALECT

// A core of AIE2 sees the memories south, west, north and its own; there is none of a memtile.
// CHECK: // Tile(0, 2)
// CHECK-NEXT: // Memory map: name base_address num_bytes
// CHECK-NEXT: _symbol w 0x71000 16
// CHECK-NEXT: // Tile(1, 2)
// CHECK: _symbol w 0x51000 16
// CHECK-NEXT: _symbol a 0x70400 64
// CHECK-NOT: Tile(1, 1)
// ARCH: AIE2p
// LIST: [(1,2,None),]
// LD: program (RX) : ORIGIN = 0, LENGTH = 0x0020000
// LD-NEXT: data (!RX) : ORIGIN = 0x70440, LENGTH = 0xFBC0
// LD: . += 0x400; /* stack */
// LD-NEXT: /* No tile with memory exists to the south. */
// LD-NEXT: . = 0x40000;
// LD-NEXT: . += 0x10000;
// LD-NEXT: . = 0x51000;
// LD-NEXT: w = .;
// LD-NEXT: . += 0x10;
// LD: a = .;
// LD: PROVIDE(main = core_1_2);
// BCF: _symbol      _main_init 0
// BCF-NEXT: _reserved DMb      0x00000 0x40000 //Don't put data in code memory
// BCF-NEXT: _stack    DM_stack 0x70000  0x400 //stack for core
// BCF-NEXT: // No tile with memory exists to the south.
// BCF: _symbol w 0x51000 0x10
// BCF: _resolve _main core_1_2
// LLVM: target triple = "aie2p"
// LLVM: define void @core_1_2()
// DIALECT: 'aie.tile' op is not of the LLVM dialect; lower it first, as allo-opt --convert-to-llvm does
// NONE: has no aie.core on tile (1, 3)
aie.device(npu2) {
  %m = aie.tile(1, 1)
  %w = aie.tile(0, 2)
  %t = aie.tile(1, 2)
  %b = aie.buffer(%w) {address = 4096 : i32, sym_name = "w"} : memref<4xi32>
  %a = aie.buffer(%t) {address = 1024 : i32, sym_name = "a"} : memref<16xi32>
  aie.core(%t) {
    aie.end
  }
}
