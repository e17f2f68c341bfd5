// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// AIR: ranks of a universe, and what they copy to each other.

func.func @f(%m: memref<16xf32>, %heap: memref<1024xf32>, %from: index, %to: index, %bases: memref<?xindex>) -> memref<1024xf32> {
  %u_c = arith.constant 4 : index
  %u = air.universe.alloc(%u_c) : !air.universe
  air.rank (%rx) in (%sx=%u_c) { }
  %t = air.rank @all async universe(%u) (%rx, %ry) in (%sx=%u_c, %sy=%u_c) args(%a=%m) : memref<16xf32> {
    %s = memref.alloc() {air.symmetric} : memref<16xf32>
    air.dma_memcpy_nd (%a[] [] [], %s[] [] []) {src_rank = 1 : i64} : (memref<16xf32>, memref<16xf32>)
  }
  %t1 = air.rank async [%t] (%rx) in (%sx=%u_c) attributes {note = "x"} { }
  air.rank universe(%u) () in () { }
  %p = air.translate %heap, %from, %to, %bases : memref<1024xf32>, memref<?xindex>
  return %p : memref<1024xf32>
}

// CHECK: %0 = air.universe.alloc(%c4)
// CHECK: air.rank (%arg5) in (%arg6=%c4) {
// CHECK: %1 = air.rank @all async universe(%0) (%{{.*}}, %{{.*}}) in (%{{.*}}=%c4, %{{.*}}=%c4) args(%[[A:.*]]=%arg0) : memref<16xf32> {
// CHECK: air.dma_memcpy_nd (%[[A]][] [] [], %alloc[] [] []) {src_rank = 1 : i64}
// CHECK: %2 = air.rank async [%1] (%{{.*}}) in (%{{.*}}=%c4) attributes {note = "x"} {
// CHECK: air.rank universe(%0) () in () {
// CHECK: air.translate %arg1, %arg2, %arg3, %arg4 : memref<1024xf32>, memref<?xindex>

// GENERIC: "air.universe.alloc"(%0) : (index) -> !air.universe
// GENERIC: "air.rank"(%0) <{operandSegmentSizes = array<i32: 0, {{(0, )?}}1, 0>}> ({
// GENERIC: "air.rank_terminator"() : () -> ()
// GENERIC: "air.rank"(%1, %0, %0, %arg0) <{{.*}}operandSegmentSizes = array<i32: 0, 1, 2, 1>
// GENERIC: src_rank = 1 : i64
// GENERIC: "air.translate"(%arg1, %arg2, %arg3, %arg4) : (memref<1024xf32>, index, index, memref<?xindex>) -> memref<1024xf32>
