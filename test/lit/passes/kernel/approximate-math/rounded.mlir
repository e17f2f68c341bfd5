// What leaves the core only rounded to bf16 takes one or two bf16 for each factor, also by way of a buffer; where it is stored as
// f32 for others, or added to what may be negative, all three.
// RUN: allo-opt %s --split-input-file --approximate-math --legalize-arithmetic | filecheck %s

// CHECK-LABEL: func.func @buffer
// CHECK-COUNT-8: vector.fma
// CHECK-NOT:     vector.fma
// CHECK:         return
func.func @buffer(%x: vector<16xf32>, %y: memref<16xbf16, 2>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %kept = memref.alloc() : memref<1x16xf32, 2>
  %row = memref.collapse_shape %kept [[0, 1]] : memref<1x16xf32, 2> into memref<16xf32, 2>
  %e = math.exp %x : vector<16xf32>
  vector.transfer_write %e, %row[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32, 2>
  %again = vector.transfer_read %kept[%c0, %c0], %zero {in_bounds = [true]} : memref<1x16xf32, 2>, vector<16xf32>
  %sum = vector.reduction <add>, %again : vector<16xf32> into f32
  %all = vector.broadcast %sum : f32 to vector<16xf32>
  %most = arith.maximumf %again, %all : vector<16xf32>
  %r = arith.truncf %most : vector<16xf32> to vector<16xbf16>
  vector.transfer_write %r, %y[%c0] {in_bounds = [true]} : vector<16xbf16>, memref<16xbf16, 2>
  return
}

// -----

// CHECK-LABEL: func.func @shared
// CHECK-COUNT-27: vector.fma
func.func @shared(%x: vector<16xf32>, %kept: memref<16xf32, 2>) {
  %c0 = arith.constant 0 : index
  %e = math.exp %x : vector<16xf32>
  vector.transfer_write %e, %kept[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32, 2>
  return
}

// -----

// CHECK-LABEL: func.func @cancelled
// CHECK-COUNT-27: vector.fma
func.func @cancelled(%x: vector<16xf32>) -> vector<16xbf16> {
  %one = arith.constant dense<-1.0> : vector<16xf32>
  %e = math.exp %x : vector<16xf32>
  %less = arith.addf %e, %one : vector<16xf32>
  %r = arith.truncf %less : vector<16xf32> to vector<16xbf16>
  return %r : vector<16xbf16>
}
