func.func @f(%n: i32) {
  %c1 = arith.constant 1 : index
  air.herd tile (%i, %j) in (%x = %c1, %y = %c1) args(%k = %n) : i32 {
    %w = arith.addi %k, %k : i32
  }
  return
}
