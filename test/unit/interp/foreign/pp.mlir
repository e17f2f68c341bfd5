// ping-pong loop labelled, async with hoist_alloc
module {
  air.channel @channel_in [1, 1]
  air.channel @channel_out [1, 1]
  func.func @pp(%arg0: memref<256xi32>, %arg1: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    %t0 = air.channel.put async @channel_in[] (%arg0[] [] []) {id = 1 : i32} : (memref<256xi32>)
    %t1 = air.channel.get async @channel_out[] (%arg1[] [] []) {id = 2 : i32} : (memref<256xi32>)
    %h = air.herd @herd_0 async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c256 = arith.constant 256 : index
      %0 = air.wait_all async
      %1 = scf.for %arg2 = %c0 to %c256 step %c32 iter_args(%arg3 = %0) -> (!air.async.token) {
        %async_token, %results = air.execute [%arg3] -> (memref<32xi32, 2>) {
          %alloc = memref.alloc() {hoist_alloc = "true"} : memref<32xi32, 2>
          air.execute_terminator %alloc : memref<32xi32, 2>
        }
        %2 = air.channel.get async [%async_token, %arg3] @channel_in[] (%results[] [] []) {id = 3 : i32} : (memref<32xi32, 2>)
        %async_token_0, %results_1 = air.execute [%arg3] -> (memref<32xi32, 2>) {
          %alloc = memref.alloc() {hoist_alloc = "true"} : memref<32xi32, 2>
          air.execute_terminator %alloc : memref<32xi32, 2>
        }
        %async_token_2 = air.execute [%2, %async_token_0] {
          linalg.copy ins(%results : memref<32xi32, 2>) outs(%results_1 : memref<32xi32, 2>)
        }
        %3 = air.channel.put async [%async_token_2] @channel_out[] (%results_1[] [] []) {id = 4 : i32} : (memref<32xi32, 2>)
        %async_token_3 = air.execute [%async_token_2] {
          memref.dealloc %results : memref<32xi32, 2>
        }
        %async_token_4 = air.execute [%3] {
          memref.dealloc %results_1 : memref<32xi32, 2>
        }
        %4 = air.wait_all async [%async_token_3, %async_token_4]
        scf.yield %4 : !air.async.token
      } {unroll = 2 : i32}
    }
    air.wait_all [%t0, %t1, %h]
    return
  }
}
