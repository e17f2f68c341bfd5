// generic form text
"builtin.module"() ({
  "air.channel"() <{channel_type = "dma_stream", size = [1, 1], sym_name = "ch"}> : () -> ()
  "func.func"() <{function_type = (memref<32xi32>) -> (), sym_name = "gen"}> ({
  ^bb0(%arg0: memref<32xi32>):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    "air.channel.put"(%arg0) <{chan_name = @ch, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> : (memref<32xi32>) -> ()
    "air.herd"(%0, %0) <{operandSegmentSizes = array<i32: 0, 2, 0>, sym_name = "herd_0"}> ({
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      %1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<32xi32, 2>
      "air.channel.get"(%1) <{chan_name = @ch, operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> : (memref<32xi32, 2>) -> ()
      "memref.dealloc"(%1) : (memref<32xi32, 2>) -> ()
      "air.herd_terminator"() : () -> ()
    }) : (index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
