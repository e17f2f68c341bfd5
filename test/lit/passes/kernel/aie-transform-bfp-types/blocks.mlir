// RUN: allo-opt %s --aie-transform-bfp-types | filecheck %s
// RUN: allo-opt %s | filecheck %s --check-prefix=SAME
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s --check-prefix=SAME

// Blocks become integers of their bits, in memrefs, vectors, functions and objectFifos; what is not a block stays.
// CHECK: aie.objectfifo @of({{.*}}) : !aie.objectfifo<memref<8xi72>>
// CHECK: aie.buffer(%{{.*}}) {sym_name = "b"} : memref<4xi136>
// CHECK: aie.buffer(%{{.*}}) {sym_name = "u"} : memref<9xui8>
// CHECK: func.func private @f(vector<8xi72>, memref<4xi136>)
// CHECK: aie.runtime_sequence(%{{.*}}: memref<16xi72>)
// SAME: aie.objectfifo @of({{.*}}) : !aie.objectfifo<memref<8x!aiex.bfp<"v8bfp16ebs8">>>
// SAME: aie.buffer(%{{.*}}) {sym_name = "b"} : memref<4x!aiex.bfp<"v16bfp16ebs16">>
// SAME: func.func private @f(vector<8x!aiex.bfp<"v8bfp16ebs8">>, memref<4x!aiex.bfp<"v16bfp16ebs16">>)
aie.device(npu2) {
  %s = aie.tile(0, 0)
  %t = aie.tile(0, 2)
  aie.objectfifo @of(%s, {%t}, 4 : i32) : !aie.objectfifo<memref<8x!aiex.bfp<"v8bfp16ebs8">>>
  %b = aie.buffer(%t) {sym_name = "b"} : memref<4x!aiex.bfp<"v16bfp16ebs16">>
  %u = aie.buffer(%t) {sym_name = "u"} : memref<9xui8>
  func.func private @f(vector<8x!aiex.bfp<"v8bfp16ebs8">>, memref<4x!aiex.bfp<"v16bfp16ebs16">>)
  aie.runtime_sequence(%x : memref<16x!aiex.bfp<"v8bfp16ebs8">>) {
  }
}
