// segment async with dealloc in wrong order tokens; loops fusion L2 pattern (memtile)
module {
  air.channel @in [1, 1]
  air.channel @o [4, 1]
  func.func @fuse(%arg0: memref<256x256xi32>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%lx) in (%ls=%c1) args(%a=%arg0) : memref<256x256xi32> {
      %1 = air.channel.put async @in[] (%a[] [] []) {id = 1 : i32} : (memref<256x256xi32>)
      %2 = air.segment @seg async {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        %c256 = arith.constant 256 : index
        %t, %l2 = air.execute -> (memref<256x256xi32, 1>) {
          %al = memref.alloc() : memref<256x256xi32, 1>
          air.execute_terminator %al : memref<256x256xi32, 1>
        }
        %3 = scf.for %i = %c0 to %c256 step %c64 iter_args(%ti = %t) -> (!air.async.token) {
          %g = air.channel.get async [%ti] @in[] (%l2[%i, %c0] [%c64, %c256] [%c256, %c1_0]) {id = 2 : i32} : (memref<256x256xi32, 1>)
          scf.yield %g : !air.async.token
        }
        %4 = scf.for %i = %c0 to %c256 step %c64 iter_args(%ti = %3) -> (!air.async.token) {
          %p = scf.parallel (%x) = (%c0) to (%c4) step (%c1_0) init (%ti) -> !air.async.token {
            %k = arith.muli %x, %c64 : index
            %pp = air.channel.put async [%ti] @o[%x, %c0] (%l2[%i, %k] [%c64, %c64] [%c256, %c1_0]) {id = 3 : i32} : (memref<256x256xi32, 1>)
            scf.reduce(%pp : !air.async.token) {
            ^bb0(%r0: !air.async.token, %r1: !air.async.token):
              %w = air.wait_all async [%r0, %r1]
              scf.reduce.return %w : !air.async.token
            }
          }
          scf.yield %p : !air.async.token
        }
        %5 = air.herd @h async tile (%hx, %hy) in (%sx=%c4, %sy=%c1_0) {
          %c0_1 = arith.constant 0 : index
          %c64_1 = arith.constant 64 : index
          %c256_1 = arith.constant 256 : index
          %tt = air.wait_all async
          %6 = scf.for %i = %c0_1 to %c256_1 step %c64_1 iter_args(%ti = %tt) -> (!air.async.token) {
            %bt, %bm = air.execute [%ti] -> (memref<64x64xi32, 2>) {
              %al = memref.alloc() : memref<64x64xi32, 2>
              air.execute_terminator %al : memref<64x64xi32, 2>
            }
            %g = air.channel.get async [%bt, %ti] @o[%hx, %hy] (%bm[] [] []) {id = 4 : i32} : (memref<64x64xi32, 2>)
            %d = air.execute [%g] {
              memref.dealloc %bm : memref<64x64xi32, 2>
            }
            scf.yield %d : !air.async.token
          }
        }
        %7 = air.execute [%4] {
          memref.dealloc %l2 : memref<256x256xi32, 1>
        }
      }
    }
    return
  }
}
