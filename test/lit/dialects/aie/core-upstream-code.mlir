// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIE: core upstream code.

module {
  aie.device(npu1_1col) {
    func.func private @kernel(memref<64xi32>, i32) attributes {link_with = "k.o"}
    llvm.func @printf(!llvm.ptr, ...) -> i32
    llvm.mlir.global internal constant @str("Hello %d \0A\00") {addr_space = 0 : i32}
    memref.global "private" constant @tbl : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 16 : i64}
    %tile_0_2 = aie.tile(0, 2)
    %buf = aie.buffer(%tile_0_2) {sym_name = "buf"} : memref<64xi32>
    %core_0_2 = aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c4294967295 = arith.constant 4294967295 : index
      %i7 = arith.constant 7 : i32
      cf.br ^bb1(%c0 : index)
    ^bb1(%i: index):
      %cond = arith.cmpi slt, %i, %c64 : index
      cf.cond_br %cond, ^bb2, ^bb3
    ^bb2:
      %v = memref.load %buf[%i] : memref<64xi32>
      %w = vector.broadcast %v : i32 to vector<16xi32>
      vector.store %w, %buf[%c0] : memref<64xi32>, vector<16xi32>
      affine.for %j = 0 to 64 { affine.store %v, %buf[%j] : memref<64xi32> }
      affine.for %j = 0 to 64 iter_args(%acc = %v) -> (i32) {
        %ld = affine.load %buf[%j] : memref<64xi32>
        %s = arith.addi %ld, %acc : i32
        affine.yield %s : i32
      }
      linalg.fill ins(%v : i32) outs(%buf : memref<64xi32>)
      func.call @kernel(%buf, %i7) : (memref<64xi32>, i32) -> ()
      %g = memref.get_global @tbl : memref<4xi32>
      %p = llvm.mlir.addressof @str : !llvm.ptr
      %r = llvm.call @printf(%p, %i7) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
      %n = arith.addi %i, %c1 : index
      cf.br ^bb1(%n : index)
    ^bb3:
      aie.end
    } {link_with = "k.o", dynamic_objfifo_lowering = true}
  }
}

// CHECK: aie.device(npu1_1col) {
// CHECK: memref.global "private" constant @tbl : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 16 : i64}
// CHECK: %tile_0_2 = aie.tile(0, 2)
// CHECK: %buf = aie.buffer(%tile_0_2) {sym_name = "buf"} : memref<64xi32>
// CHECK: %core_0_2 = aie.core(%tile_0_2) {
// CHECK: ^bb1(%0: index):
// CHECK: ^bb2:
// CHECK: affine.for %arg0 = 0 to 64 {
// CHECK: affine.store %2, %buf[%arg0] : memref<64xi32>
// CHECK: %4 = affine.for %arg0 = 0 to 64 iter_args(%arg1 = %2) -> (i32) {
// CHECK: %9 = affine.load %buf[%arg0] : memref<64xi32>
// CHECK: affine.yield %10 : i32
// CHECK: ^bb3:
// CHECK: aie.end

// GENERIC: "aie.device"() <{device = 5 : i32, sym_name = "main"}> ({
// GENERIC: "aie.tile"() <{col = 0 : i32, row = 2 : i32}> : () -> index
// GENERIC: "aie.buffer"(%0) <{sym_name = "buf"}> : (index) -> memref<64xi32>
// GENERIC: "aie.core"(%0) <{dynamic_objfifo_lowering = true, link_with = "k.o", stack_size = 1024 : i32}> ({
// GENERIC: "aie.end"() : () -> ()
