// channel put/get with strided wraps, specialize
module {
  air.channel @channel_0 [1, 1]
  air.channel @channel_1 [1, 1]
  air.channel @channel_2 [1, 1]
  func.func @wrap(%arg0: memref<128xf32>, %arg1: memref<128x128xi32>, %arg2: memref<1x64x256xbf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c16384 = arith.constant 16384 : index
    %0 = air.wait_all async
    air.channel.put @channel_0[] (%arg0[%c0, %c0, %c0] [%c1, %c4, %c32] [%c128, %c32, %c1]) {id = 1 : i32} : (memref<128xf32>)
    %1 = scf.for %i = %c0 to %c128 step %c32 iter_args(%t = %0) -> (!air.async.token) {
      %2 = scf.for %j = %c0 to %c128 step %c64 iter_args(%tt = %t) -> (!air.async.token) {
        %3 = air.channel.put async [%tt] @channel_1[%c0, %c0] (%arg1[%i, %j] [%c32, %c64] [%c128, %c1]) {id = 2 : i32} : (memref<128x128xi32>)
        scf.yield %3 : !air.async.token
      }
      scf.yield %2 : !air.async.token
    }
    affine.for %i = 0 to 64 step 8 {
      %4 = air.wait_all async
      %o = arith.constant 0 : index
      %5 = air.channel.put async [%4] @channel_2[] (%arg2[%o, %i, %o] [%c1, %c8, %c256] [%c16384, %c256, %c1]) {id = 3 : i32} : (memref<1x64x256xbf16>)
    }
    %a0 = memref.alloc() : memref<128xf32, 1>
    air.channel.get @channel_0[] (%a0[] [] []) {id = 4 : i32} : (memref<128xf32, 1>)
    memref.dealloc %a0 : memref<128xf32, 1>
    return
  }
}
