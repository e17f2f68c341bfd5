func.func @f() {
  %c4 = arith.constant 4 : index
  air.launch (%i, %j) in (%m=%c4, %n=%c4) attributes {air.actual_sizes = array<i64: 64, 60>} {
    %c16 = arith.constant 16 : index
    %c = arith.muli %j, %c16 : index
    %d = arith.muli %i, %c16 : index
  }
  return
}
