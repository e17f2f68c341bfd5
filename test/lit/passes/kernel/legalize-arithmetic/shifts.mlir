// RUN: allo-opt %s --legalize-arithmetic | filecheck %s

// CHECK-LABEL: func.func @shifts
func.func @shifts(%x: i32, %n: i32, %h: i16, %m: i16, %v: vector<16xi32>) -> (i32, i16, vector<16xi32>, i32) {
  // CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: %[[S:.*]] = arith.shrsi %[[I]], %[[N]] : index
  // CHECK: arith.index_cast %[[S]] : index to i32
  %a = arith.shrsi %x, %n : i32
  // An i16 is shifted as it is, a vector is another pass's matter.
  // CHECK: arith.shrsi %{{.*}} : i16
  %b = arith.shrsi %h, %m : i16
  // CHECK: arith.shrsi %{{.*}} : vector<16xi32>
  %c = arith.shrsi %v, %v : vector<16xi32>
  // A shift by nothing rounds nothing.
  // CHECK: arith.shrsi %{{.*}} : i32
  %zero = arith.constant 0 : i32
  %d = arith.shrsi %x, %zero : i32
  return %a, %b, %c, %d : i32, i16, vector<16xi32>, i32
}
