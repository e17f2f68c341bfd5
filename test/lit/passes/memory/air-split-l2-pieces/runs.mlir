// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces{device=npu1}))' | filecheck %s --check-prefix=NPU1
// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces{device=npu2}))' | filecheck %s --check-prefix=NPU2
// RUN: allo-opt %s --pass-pipeline='builtin.module(func.func(air-split-l2-pieces))' | filecheck %s --check-prefix=ALL

// Rows of 512 bytes of a longer matrix. On npu1 memory takes long for shorter runs: the panel comes whole; on
// npu2 a part of a quarter comes soonest.
// NPU1: memref.alloc() : memref<4x128xi32, 1>
// NPU2: memref.alloc() : memref<4x32xi32, 1>
// ALL: memref.alloc() : memref<4x16xi32, 1>
air.channel @in []
air.channel @out []
func.func @rows(%a: memref<4x4096xi32>) {
  %0 = air.launch async () in () args(%m=%a) : memref<4x4096xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %c4096 = arith.constant 4096 : index
    %1 = air.channel.put async @in[] (%m[%c0, %c0] [%c4, %c128] [%c4096, %c1]) : (memref<4x4096xi32>)
    %2 = air.segment async {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d3 = arith.constant 3 : index
      %d4 = arith.constant 4 : index
      %d8 = arith.constant 8 : index
      %d16 = arith.constant 16 : index
      %d128 = arith.constant 128 : index
      %t, %buffer = air.execute -> (memref<4x128xi32, 1>) {
        %alloc = memref.alloc() : memref<4x128xi32, 1>
        air.execute_terminator %alloc : memref<4x128xi32, 1>
      }
      %3 = air.channel.get async [%t] @in[] (%buffer[] [] []) : (memref<4x128xi32, 1>)
      %4 = scf.for %i = %d0 to %d3 step %d1 iter_args(%last = %3) -> (!air.async.token) {
        %5 = air.channel.put async [%last] @out[] (%buffer[%d0, %d0, %d0] [%d16, %d4, %d8] [%d8, %d128, %d1]) : (memref<4x128xi32, 1>)
        scf.yield %5 : !air.async.token
      }
      %6 = air.execute [%4] {
        memref.dealloc %buffer : memref<4x128xi32, 1>
      }
    }
  }
  return
}
