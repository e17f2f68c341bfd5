// split l2 memref: L2 alloc, gets from L3, puts to herd rows
module {
  air.channel @channel_0 [1, 1]
  air.channel @channel_1 [4, 1]
  air.channel @channel_2 [4, 1]
  air.channel @channel_3 [1, 1]
  func.func @l2(%arg0: memref<256x64xbf16>, %arg1: memref<256x64xbf16>) {
    %c1 = arith.constant 1 : index
    %0 = air.launch async (%x) in (%s=%c1) args(%a=%arg0, %b=%arg1) : memref<256x64xbf16>, memref<256x64xbf16> {
      %1 = air.channel.put async @channel_0[] (%a[] [] []) {id = 1 : i32} : (memref<256x64xbf16>)
      %2 = air.channel.get async @channel_3[] (%b[] [] []) {id = 2 : i32} : (memref<256x64xbf16>)
      %3 = air.segment @segment_0 async {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        %t, %l2 = air.execute -> (memref<256x64xbf16, 1>) {
          %al = memref.alloc() : memref<256x64xbf16, 1>
          air.execute_terminator %al : memref<256x64xbf16, 1>
        }
        %t2, %l2o = air.execute -> (memref<256x64xbf16, 1>) {
          %al = memref.alloc() : memref<256x64xbf16, 1>
          air.execute_terminator %al : memref<256x64xbf16, 1>
        }
        %g = air.channel.get async [%t] @channel_0[] (%l2[] [] []) {id = 3 : i32} : (memref<256x64xbf16, 1>)
        %p = scf.parallel (%i) = (%c0) to (%c4) step (%c1_0) init (%g) -> !air.async.token {
          %o = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%i]
          %pp = air.channel.put async [%g] @channel_1[%i, %c0] (%l2[%o, %c0] [%c64, %c64] [%c64, %c1_0]) {id = 4 : i32} : (memref<256x64xbf16, 1>)
          scf.reduce(%pp : !air.async.token) {
          ^bb0(%r0: !air.async.token, %r1: !air.async.token):
            %w = air.wait_all async [%r0, %r1]
            scf.reduce.return %w : !air.async.token
          }
        }
        %q = scf.parallel (%i) = (%c0) to (%c4) step (%c1_0) init (%t2) -> !air.async.token {
          %o = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%i]
          %pp = air.channel.get async [%t2] @channel_2[%i, %c0] (%l2o[%o, %c0] [%c64, %c64] [%c64, %c1_0]) {id = 5 : i32} : (memref<256x64xbf16, 1>)
          scf.reduce(%pp : !air.async.token) {
          ^bb0(%r0: !air.async.token, %r1: !air.async.token):
            %w = air.wait_all async [%r0, %r1]
            scf.reduce.return %w : !air.async.token
          }
        }
        %h = air.herd @herd_0 async tile (%hx, %hy) in (%sx=%c4, %sy=%c1_0) {
          %ht, %hm = air.execute -> (memref<64x64xbf16, 2>) {
            %al = memref.alloc() : memref<64x64xbf16, 2>
            air.execute_terminator %al : memref<64x64xbf16, 2>
          }
          %hg = air.channel.get async [%ht] @channel_1[%hx, %hy] (%hm[] [] []) {id = 6 : i32} : (memref<64x64xbf16, 2>)
          %hp = air.channel.put async [%hg] @channel_2[%hx, %hy] (%hm[] [] []) {id = 7 : i32} : (memref<64x64xbf16, 2>)
          %hd = air.execute [%hp] {
            memref.dealloc %hm : memref<64x64xbf16, 2>
          }
        }
        %out = air.channel.put async [%q] @channel_3[] (%l2o[] [] []) {id = 8 : i32} : (memref<256x64xbf16, 1>)
        %d0 = air.execute [%p] {
          memref.dealloc %l2 : memref<256x64xbf16, 1>
        }
        %d1 = air.execute [%out] {
          memref.dealloc %l2o : memref<256x64xbf16, 1>
        }
      }
    }
    air.wait_all [%0]
    return
  }
}
