// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2 target-backend=llvmir" | filecheck %s
// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie2" | filecheck %s --check-prefix=CPP
// RUN: allo-opt %s --convert-vector-to-aievec="aie-target=aie" | filecheck %s --check-prefix=FIRST

// Sums of floats are made in accumulators; those of 32 lanes in two halves; a product that only a sum uses goes into it.
// CHECK-LABEL: func.func @floats
// CHECK: aievec.ext %[[X:.*]] {index = 0 : i8} : vector<32xbf16>, vector<16xbf16>
// CHECK: aievec.ups %{{.*}} {shift = 0 : i8} : vector<16xbf16>, vector<16xf32>
// CHECK: aievec.mac_elem %{{.*}}, %{{.*}}, %{{.*}} : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
// CHECK: aievec.srs %{{.*}}, %{{.*}} : vector<16xf32>, i32, vector<16xbf16>
// CHECK: aievec.concat %{{.*}}, %{{.*}} : vector<16xbf16>, vector<32xbf16>
// CHECK: aievec.max %{{.*}}, %{{.*}} : vector<32xbf16>
// CHECK: %[[MASK:.*]] = aievec.cmp %{{.*}}, %{{.*}} {pred = "sgt"} : vector<32xbf16>, vector<32xbf16>, ui32
// CHECK: aievec.sel %{{.*}}, %{{.*}}, %[[MASK]] : vector<32xbf16>, vector<32xbf16>, ui32, vector<32xbf16>
// FIRST-LABEL: func.func @floats
// FIRST: arith.mulf
func.func @floats(%a: memref<64xbf16>, %b: memref<64xbf16>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %x = vector.load %a[%c0] : memref<64xbf16>, vector<32xbf16>
  %y = vector.load %b[%c0] : memref<64xbf16>, vector<32xbf16>
  %p = arith.mulf %x, %y : vector<32xbf16>
  %s = arith.addf %p, %x : vector<32xbf16>
  %m = arith.maximumf %s, %y : vector<32xbf16>
  %c = arith.cmpf ogt, %x, %y : vector<32xbf16>
  %r = arith.select %c, %m, %y : vector<32xi1>, vector<32xbf16>
  vector.store %r, %b[%c32] : memref<64xbf16>, vector<32xbf16>
  return
}

// Sums of f32; what is not a multiple-add stays a sum.
// CHECK-LABEL: func.func @accumulators
// CHECK: %[[L:.*]] = aievec.cast %arg0 {isResAcc = true} : vector<16xf32>, vector<16xf32>
// CHECK: %[[R:.*]] = aievec.cast %arg1 {isResAcc = true} : vector<16xf32>, vector<16xf32>
// CHECK: %[[S:.*]] = aievec.sub_elem %[[L]], %[[R]] : vector<16xf32>
// CHECK: aievec.cast %[[S]] {isResAcc = false} : vector<16xf32>, vector<16xf32>
func.func @accumulators(%a: vector<16xf32>, %b: vector<16xf32>) -> vector<16xf32> {
  %0 = arith.subf %a, %b : vector<16xf32>
  return %0 : vector<16xf32>
}

// `vector.fma` of extended bf16 keeps its accumulator.
// CHECK-LABEL: func.func @fma
// CHECK-NOT: arith.extf
// CHECK: %[[ACC:.*]] = aievec.cast %arg2 {isResAcc = true}
// CHECK: %[[MAC:.*]] = aievec.mac_elem %arg0, %arg1, %[[ACC]] : vector<16xbf16>, vector<16xbf16>, vector<16xf32>
// CHECK: aievec.cast %[[MAC]] {isResAcc = false}
func.func @fma(%a: vector<16xbf16>, %b: vector<16xbf16>, %c: vector<16xf32>) -> vector<16xf32> {
  %x = arith.extf %a : vector<16xbf16> to vector<16xf32>
  %y = arith.extf %b : vector<16xbf16> to vector<16xf32>
  %0 = vector.fma %x, %y, %c : vector<16xf32>
  return %0 : vector<16xf32>
}

// Integers: LLVM adds vectors, C++ does not; products are made in accumulators; bits have their own operations.
// CHECK-LABEL: func.func @integers
// CHECK: arith.addi
// CHECK: aievec.mul_elem %{{.*}}, %{{.*}} : vector<16xi32>, vector<16xi32>, vector<16xi64>
// CHECK: aievec.srs %{{.*}}, %{{.*}} : vector<16xi64>, i32, vector<16xi32>
// CHECK: aievec.min %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: aievec.bxor %{{.*}}, %{{.*}} : vector<16xi32>, vector<16xi32>, vector<16xi32>
// CPP-LABEL: func.func @integers
// CPP: aievec.add_elem %{{.*}}, %{{.*}} : vector<16xi32>
func.func @integers(%a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = vector.load %a[%c0] : memref<64xi32>, vector<16xi32>
  %y = vector.load %a[%c16] : memref<64xi32>, vector<16xi32>
  %0 = arith.addi %x, %y : vector<16xi32>
  %1 = arith.muli %0, %y : vector<16xi32>
  %2 = arith.minsi %1, %x : vector<16xi32>
  %3 = arith.xori %2, %y : vector<16xi32>
  vector.store %3, %a[%c0] : memref<64xi32>, vector<16xi32>
  return
}

// Ones turn all bits.
// CHECK-LABEL: func.func @ones
// CHECK: aievec.bneg %arg0 : vector<64xi8>
func.func @ones(%a: vector<64xi8>) -> vector<64xi8> {
  %ones = arith.constant dense<-1> : vector<64xi8>
  %0 = arith.xori %a, %ones : vector<64xi8>
  return %0 : vector<64xi8>
}
