// affine.for nest with labels (affine-loop-opt, unroll outer)
module {
  func.func @aff(%arg0: memref<12x12xi32>, %arg1: memref<12x12xi32>, %arg2: memref<12x12xi32>) {
    affine.for %i = 0 to 12 {
      affine.for %j = 0 to 12 {
        affine.for %k = 0 to 12 {
          %0 = affine.load %arg0[%i, %k] : memref<12x12xi32>
          %1 = affine.load %arg1[%k, %j] : memref<12x12xi32>
          %2 = affine.load %arg2[%i, %j] : memref<12x12xi32>
          %3 = arith.muli %0, %1 : i32
          %4 = arith.addi %2, %3 : i32
          affine.store %4, %arg2[%i, %j] : memref<12x12xi32>
        }
      }
    } {affine_opt_label = "affine_opt"}
    return
  }
}
