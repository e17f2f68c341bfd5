// scf.parallel with scf.reduce of tokens (as old mlir-air)
module {
  air.channel @channel_0 [2, 2]
  func.func @par(%arg0: memref<64x64xbf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %0 = air.wait_all async
    %1 = scf.parallel (%arg1, %arg2) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%0) -> !air.async.token {
      %r = arith.muli %arg1, %c32 : index
      %c = arith.muli %arg2, %c32 : index
      %4 = air.channel.put async [%0] @channel_0[%arg1, %arg2] (%arg0[%r, %c] [%c32, %c32] [%c64, %c1]) {id = 1 : i32} : (memref<64x64xbf16>)
      scf.reduce(%4 : !air.async.token) {
      ^bb0(%arg3: !air.async.token, %arg4: !air.async.token):
        %5 = air.wait_all async [%arg3, %arg4]
        scf.reduce.return %5 : !air.async.token
      }
    }
    %2 = air.herd @herd_0 async [%0] tile (%arg1, %arg2) in (%arg3=%c2, %arg4=%c2) {
      %async_token, %results = air.execute -> (memref<32x32xbf16, 2>) {
        %alloc = memref.alloc() : memref<32x32xbf16, 2>
        air.execute_terminator %alloc : memref<32x32xbf16, 2>
      }
      %5 = air.channel.get async [%async_token] @channel_0[%arg1, %arg2] (%results[] [] []) {id = 2 : i32} : (memref<32x32xbf16, 2>)
      %async_token_0 = air.execute [%5] {
        memref.dealloc %results : memref<32x32xbf16, 2>
      }
    }
    air.wait_all [%1, %2]
    return
  }
}
