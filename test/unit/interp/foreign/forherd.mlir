// herd inside scf.for in a segment, async, L2 double-buffer candidate
module {
  air.channel @l3 [1, 1]
  air.channel @l1 [2, 2]
  air.channel @res [2, 2]
  func.func @forherd(%arg0: memref<4x64xi32>, %arg1: memref<4x64xi32>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%lx) in (%ls=%c1) args(%a=%arg0, %b=%arg1) : memref<4x64xi32>, memref<4x64xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %t = air.wait_all async
      %p = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%ti = %t) -> (!air.async.token) {
        %q = air.channel.put async [%ti] @l3[%c0, %c0] (%a[%i, %c0] [%c1_0, %c64] [%c64, %c1_0]) {id = 1 : i32} : (memref<4x64xi32>)
        scf.yield %q : !air.async.token
      }
      %g = scf.for %i = %c0 to %c4 step %c1_0 iter_args(%ti = %t) -> (!air.async.token) {
        %par = scf.parallel (%x, %y) = (%c0, %c0) to (%c2, %c2) step (%c1_0, %c1_0) init (%ti) -> !air.async.token {
          %k = arith.muli %x, %c2 : index
          %k1 = arith.addi %k, %y : index
          %k2 = arith.muli %k1, %c16 : index
          %gg = air.channel.get async [%ti] @res[%x, %y] (%b[%i, %k2] [%c1_0, %c16] [%c64, %c1_0]) {id = 2 : i32} : (memref<4x64xi32>)
          scf.reduce(%gg : !air.async.token) {
          ^bb0(%r0: !air.async.token, %r1: !air.async.token):
            %w = air.wait_all async [%r0, %r1]
            scf.reduce.return %w : !air.async.token
          }
        }
        scf.yield %par : !air.async.token
      }
      %s = air.segment @seg async {
        %c0_1 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c2_1 = arith.constant 2 : index
        %c4_1 = arith.constant 4 : index
        %c16_1 = arith.constant 16 : index
        %t1 = air.wait_all async
        %lo = scf.for %i = %c0_1 to %c4_1 step %c1_1 iter_args(%ti = %t1) -> (!air.async.token) {
          %at, %l2 = air.execute [%ti] -> (memref<64xi32, 1>) {
            %al = memref.alloc() : memref<64xi32, 1>
            air.execute_terminator %al : memref<64xi32, 1>
          }
          %gt = air.channel.get async [%at, %ti] @l3[%c0_1, %c0_1] (%l2[] [] []) {id = 3 : i32} : (memref<64xi32, 1>)
          %pp = scf.parallel (%x, %y) = (%c0_1, %c0_1) to (%c2_1, %c2_1) step (%c1_1, %c1_1) init (%gt) -> !air.async.token {
            %k = arith.muli %x, %c2_1 : index
            %k1 = arith.addi %k, %y : index
            %k2 = arith.muli %k1, %c16_1 : index
            %gg = air.channel.put async [%gt] @l1[%x, %y] (%l2[%k2] [%c16_1] [%c1_1]) {id = 4 : i32} : (memref<64xi32, 1>)
            scf.reduce(%gg : !air.async.token) {
            ^bb0(%r0: !air.async.token, %r1: !air.async.token):
              %w = air.wait_all async [%r0, %r1]
              scf.reduce.return %w : !air.async.token
            }
          }
          %h = air.herd @h async [%ti] tile (%hx, %hy) in (%sx=%c2_1, %sy=%c2_1) {
            %bt, %bm = air.execute -> (memref<16xi32, 2>) {
              %al = memref.alloc() : memref<16xi32, 2>
              air.execute_terminator %al : memref<16xi32, 2>
            }
            %hg = air.channel.get async [%bt] @l1[%hx, %hy] (%bm[] [] []) {id = 5 : i32} : (memref<16xi32, 2>)
            %e = air.execute [%hg] {
              linalg.add ins(%bm, %bm : memref<16xi32, 2>, memref<16xi32, 2>) outs(%bm : memref<16xi32, 2>)
            }
            %hp = air.channel.put async [%e] @res[%hx, %hy] (%bm[] [] []) {id = 6 : i32} : (memref<16xi32, 2>)
            %hd = air.execute [%hp] {
              memref.dealloc %bm : memref<16xi32, 2>
            }
          }
          %df = air.execute [%pp] {
            memref.dealloc %l2 : memref<64xi32, 1>
          }
          %w = air.wait_all async [%df, %h]
          scf.yield %w : !air.async.token
        }
      }
    }
    air.wait_all [%0]
    return
  }
}
